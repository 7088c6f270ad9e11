from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from margin.report._markup import Markup, join, tag, text


class Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.words, self.attributes = [], "", {}

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes.update(attrs)

    def handle_data(self, data):
        self.words += data


def read(markup):
    reader = Reader()
    reader.feed(markup)
    reader.close()
    return reader


@given(st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp"))))
def test_any_text_comes_back_as_text(words):
    reader = read(tag("p", words, title=words))
    assert reader.tags == ["p"]
    assert reader.words == words
    assert reader.attributes["title"] == words


def test_control_characters_and_lone_surrogates_are_replaced():
    made = text("a\x00b\x1b\ud800c\n")
    made.encode("utf-8")
    assert made == "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}?c\n"


def test_markup_is_kept_and_nothing_is_nothing():
    assert join(tag("b", "x"), None, ["<", Markup("<i/>")]) == "<b>x</b>&lt;<i/>"


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ({"class_": "a b"}, '<p class="a b"></p>'),
        ({"aria_label": "x"}, '<p aria-label="x"></p>'),
        ({"hidden": True}, "<p hidden></p>"),
        ({"hidden": False, "title": None}, "<p></p>"),
        ({"width": 1.0}, '<p width="1"></p>'),
        ({"width": 2 / 3}, '<p width="0.67"></p>'),
        ({"viewBox": "0 0 1 1"}, '<p viewBox="0 0 1 1"></p>'),
    ],
)
def test_attributes(attributes, expected):
    assert tag("p", **attributes) == expected


def test_void_elements_close_themselves_unless_they_have_children():
    assert tag("rect", width=1) == '<rect width="1"/>'
    assert tag("rect", tag("title", "t")) == "<rect><title>t</title></rect>"
