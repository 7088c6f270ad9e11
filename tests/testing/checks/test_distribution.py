import numpy as np
import pytest

from margin.distributions import Normal
from margin.linear import BayesianLinearRegression
from margin.testing.checks._distribution import check_predict_dist


def test_a_good_estimator_passes():
    check_predict_dist("good", BayesianLinearRegression())


class Faulty(BayesianLinearRegression):
    def change(self, mean, std):
        return Normal(mean, std)

    def predict_dist(self, X):
        law = super().predict_dist(X)
        return self.change(law.mean, law.std)


class Shifted(Faulty):
    def change(self, mean, std):
        return Normal(mean + 0.1, std)


class TooSure(Faulty):
    def change(self, mean, std):
        return Normal(mean, 0.1 * std)


class OneForAll(Faulty):
    def change(self, mean, std):
        return Normal(np.mean(mean), np.mean(std))


class Wider(Normal):
    def sample(self, n, rng):
        return self.mean + 2 * self.std * rng.normal(size=(n, *self.shape))


class Resampled(Faulty):
    def change(self, mean, std):
        return Wider(mean, std)


class Off(Normal):
    def quantile(self, q):
        return super().quantile(q) + 0.1


class Misplaced(Faulty):
    def change(self, mean, std):
        return Off(mean, std)


class Low(Normal):
    def quantile(self, q):
        return super().quantile(q) - 1e-4 * self.std


class TooLow(Faulty):
    def change(self, mean, std):
        return Low(mean, std)


class High(Normal):
    def quantile(self, q):
        return super().quantile(q) + 1e-4 * self.std


class TooHigh(Faulty):
    def change(self, mean, std):
        return High(mean, std)


@pytest.mark.parametrize(
    "faulty", [Shifted, TooSure, OneForAll, Resampled, Misplaced, TooLow, TooHigh]
)
def test_faults_are_found(faulty):
    with pytest.raises(AssertionError):
        check_predict_dist("faulty", faulty())
