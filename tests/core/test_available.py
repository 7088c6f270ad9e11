import pytest

from margin.core import available_if
from margin.svm import SVC


def loud(self):
    if self.loud:
        return True
    raise AttributeError("Model: call needs loud=True")


class Model:
    def __init__(self, loud):
        self.loud = loud

    @available_if(loud)
    def call(self, word):
        """What it says."""
        return word.upper()


def test_a_method_is_there_only_where_it_holds():
    assert Model(loud=True).call("hey") == "HEY"
    assert not hasattr(Model(loud=False), "call")
    assert Model.call.__doc__ == "What it says."


def test_the_reason_is_told():
    with pytest.raises(AttributeError) as told:
        Model(loud=False).call("hey")
    assert "call needs loud=True" in f"{told.value} {told.value.__cause__}"


def test_the_reason_is_in_the_message_itself():
    with pytest.raises(AttributeError, match=r"^This 'Model' has no attribute 'call': Model: call"):
        Model(loud=False).call("hey")
    with pytest.raises(AttributeError, match="needs loud=True"):
        Model.call(Model(loud=False), "hey")
    assert Model.call(Model(loud=True), "hey") == "HEY"


def test_a_machine_names_the_setting():
    machine = SVC().fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(AttributeError, match="predict_proba needs probability=True"):
        machine.predict_proba([[0.0]])
    assert not hasattr(machine, "predict_proba")
