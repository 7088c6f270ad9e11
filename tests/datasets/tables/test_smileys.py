import numpy as np
import pytest

from margin.datasets import make_smileys


@pytest.mark.parametrize("size", [16, 24, 33])
@pytest.mark.parametrize("factor", [0, 1])
def test_each_factor_changes_only_its_region(size, factor):
    """datasets.19: moving along an axis changes one part of the face, and really changes it."""
    steps = np.zeros((9, 2))
    steps[:, factor] = np.linspace(-1, 1, 9)
    faces = make_smileys(factors=steps, size=size)
    changed = (faces.images != faces.images[0]).any(axis=0)
    region = faces.regions[faces.factor_names[factor]]
    assert changed.any()
    assert not (changed & ~region).any()
    # Neighbouring values of the factor are distinguishable.
    assert np.abs(np.diff(faces.images, axis=0)).max(axis=(1, 2)).min() > 0.05


def test_regions_do_not_meet():
    """datasets.19: the diagonal changes both regions, which are disjoint."""
    faces = make_smileys(factors=[[-1, -1], [1, 1]])
    regions = faces.regions
    assert not (regions["smile"] & regions["eyebrows"]).any()
    changed = faces.images[0] != faces.images[1]
    assert (changed & regions["smile"]).any()
    assert (changed & regions["eyebrows"]).any()


def test_smile_bends_upwards_and_brows_rise_inside():
    """datasets.19: the factors mean what they are called; rows count from the top."""
    faces = make_smileys(factors=[[1.0, 1.0], [-1.0, -1.0]], size=65)
    centre, corner = 32, 20

    def height(image, column, name):
        ink = image[:, column] * faces.regions[name][:, column]
        return -np.argmax(ink)

    smiling, sad = faces.images
    assert height(smiling, corner, "smile") > height(smiling, centre, "smile")
    assert height(sad, corner, "smile") < height(sad, centre, "smile")
    inner, outer = 26, 13
    assert height(smiling, inner, "eyebrows") > height(smiling, outer, "eyebrows")
    assert height(sad, inner, "eyebrows") < height(sad, outer, "eyebrows")


def test_factors_are_uniform_and_the_seed_decides():
    """datasets.19: shapes, ranges, noise and reproducibility."""
    faces = make_smileys(4000, size=16, random_state=0)
    assert faces.images.min() >= 0
    assert faces.images.max() <= 1
    assert faces.data.shape == (4000, 256)
    assert np.abs(faces.factors.mean(axis=0)).max() < 5 * np.sqrt(1 / 3 / 4000)
    again = make_smileys(4000, size=16, random_state=0)
    assert np.array_equal(again.images, faces.images)
    noisy = make_smileys(4000, size=16, noise=0.1, random_state=0)
    assert (noisy.images - faces.images).std() == pytest.approx(0.1, rel=0.02)


@pytest.mark.parametrize("factors", [[[0, 2]], [[0, 0, 0]], [0.5, 0.5], [[np.nan, 0]]])
def test_bad_factors_are_refused(factors):
    with pytest.raises(ValueError, match="make_smileys: factors must be pairs"):
        make_smileys(factors=factors)
