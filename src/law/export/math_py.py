import math
from math import atan, cos, expm1, log1p, pi, sin, sqrt, tan, tanh


def exp(x):
    return math.exp(x) if x < 709.0 else math.inf if x > 709.78 else math.exp(x)


def log(x):
    return math.log(x) if x > 0.0 else -math.inf if x == 0.0 else math.nan


def power(a, b):
    try:
        return math.pow(a, b)
    except (OverflowError, ValueError, ZeroDivisionError):
        return math.inf if a >= 0.0 else math.nan


def sign(x):
    return float((x > 0.0) - (x < 0.0))


def clamp(x, low, high):
    return high if x > high else low if x < low else x


def smooth_step(x):
    u = clamp(x, 0.0, 1.0)
    return u*u*(3.0 - 2.0*u)


def gpow(r, g, n):
    """Derivative number n of r^g, guarded at and below zero: what stands in a Stribeck curve."""
    if g == 2.0:
        return r*r if n == 0 else 2.0*r if n == 1 else 2.0 if n == 2 else 0.0
    if g == 1.0:
        if n == 0:
            return r if r > -1.0 else -1.0
        return (1.0 if r > -1.0 else 0.0) if n == 1 else 0.0
    if r <= 0.0:
        return math.gamma(g + 1.0) if n > 0 and g == n else 0.0
    value = min(1e100, power(r, g))
    for k in range(n):
        value = value*(g - k)/max(r, 1e-12)
    return value
