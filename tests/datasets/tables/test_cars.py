import numpy as np
import pytest

from margin.datasets import make_cars


def test_law_is_recovered_by_least_squares():
    """datasets.16: the four coefficients of the logarithmic law."""
    cars = make_cars(20_000, random_state=0)
    _, _, horsepower, weight, _, year, _ = cars.data.T
    design = np.column_stack(
        [np.ones(len(year)), np.log(weight / 3000), np.log(horsepower / 100), year - 76]
    )
    coef, *_ = np.linalg.lstsq(design, np.log(cars.target), rcond=None)
    errors = cars.noise * np.sqrt(np.diag(np.linalg.inv(design.T @ design)))
    truth = [cars.law[name] for name in ("intercept", "weight", "horsepower", "year")]
    assert np.all(np.abs(coef - truth) < 5 * errors)
    residual = np.log(cars.target) - cars.expected_log_mpg
    assert residual.std() == pytest.approx(cars.noise, rel=0.05)


def test_cars_are_plausible():
    """datasets.16: cylinders separate the cars, consumption falls with them."""
    frame = make_cars(4000, random_state=1, as_frame=True).frame
    assert set(frame["cylinders"]) == {4, 6, 8}
    assert set(frame["origin"]) == {"usa", "europe", "japan"}
    assert not ((frame["origin"] == "japan") & (frame["cylinders"] == 8)).any()
    means = frame.groupby("cylinders")[["mpg", "weight", "horsepower", "acceleration"]].mean()
    assert means["mpg"].is_monotonic_decreasing
    assert means["weight"].is_monotonic_increasing
    assert means["horsepower"].is_monotonic_increasing
    assert means["acceleration"].is_monotonic_decreasing
    assert frame["mpg"].between(5, 60).all()
    assert frame["weight"].between(1200, 7500).all()


def test_without_noise_the_law_is_exact():
    """datasets.16: noise 0 leaves the law alone."""
    cars = make_cars(50, noise=0.0, random_state=2)
    assert np.log(cars.target) == pytest.approx(cars.expected_log_mpg)
    with pytest.raises(ValueError, match="make_cars: noise must be"):
        make_cars(noise=-0.1)
