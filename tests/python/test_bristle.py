"""The Python package against the command line, closed forms and its own promises."""

import csv
import io
import math
import os
import subprocess
import threading

import bristle
import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

command = os.environ["BRISTLE"]
names = bristle.laws()


def rows(*args):
    text = subprocess.run([command, *args], check=True, capture_output=True, text=True).stdout
    return list(csv.DictReader(io.StringIO(text)))


def test_laws_are_those_of_the_command():
    listed = subprocess.run([command, "models", "--names"], check=True, capture_output=True, text=True)
    assert set(listed.stdout.split()) == set(names)
    assert bristle.__version__ in subprocess.run([command, "--version"], capture_output=True, text=True).stdout


@pytest.mark.parametrize("name", names)
def test_every_law(name):
    law = bristle.Law(name)
    assert law.name == name and law.title and law.equations and law.cite
    for p in law.parameters:
        assert p["value"] == p["default"]
        assert hasattr(bristle.Law, p["name"]) or getattr(law, p["name"]) == p["value"]
        assert p["min"] <= p["value"] <= p["max"] and p["text"]
    law.rest()
    assert len(law.z) == len(law.states) == len(law.rates(0.1, law.load))
    assert math.isfinite(law.step(0.01, law.load, 1e-3))
    assert len(law.jac(0.01, law.load)) == 1 + len(law.z)


@pytest.mark.parametrize("name", ["coulomb", "lugre", "stribeck", "regularized", "brown_mcphee"])
def test_curves_of_the_command(name):
    table = rows("curve", name, "--v", "0.001:0.2", "--set", "mu_s=0.7", "--set", "mu_c=0.5", "--load", "50")
    column = [key for key in table[0] if key != "v"][0]
    law = bristle.Law(name, mu_s=0.7, mu_c=0.5)
    forces = law.curve([float(row["v"]) for row in table], 50.0)
    assert forces == pytest.approx([float(row[column]) for row in table], rel=1e-9)


def test_run_of_the_command():
    run = bristle.run("rabinowicz", set={"run.until": "5 s", "pad.sigma0": 5e4})
    table = rows("run", "rabinowicz", "--set", "run.until=5 s", "--set", "pad.sigma0=5e4")
    assert list(run) == list(table[0])
    for name in run:
        assert list(run[name]) == pytest.approx([float(row[name]) for row in table], rel=1e-9, abs=1e-12)
    assert run.units["block.x"] == "m" and len(run["t"]) == 501
    frame = run.to_pandas()
    assert frame.index.name == "t" and frame["pad.F"].iloc[-1] == run["pad.F"][-1]
    assert numpy.asarray(run["block.x"]).dtype == float


def test_run_with_exact_stick(tmp_path):
    run = bristle.run("rabinowicz", model="coulomb")
    rows("run", "rabinowicz", "--model", "coulomb", "--events", str(tmp_path / "events.csv"))
    with open(tmp_path / "events.csv") as text:
        events = list(csv.DictReader(text))
    assert len(run.events) == len(events) > 2
    assert [e[0] for e in run.events] == pytest.approx([float(row["t"]) for row in events], rel=1e-9)


def test_text_of_a_rig():
    text = """
bodies:
  block: {mass: 2 kg, v: 1 m/s}
contacts:
  pad: {between: [block, ground], load: 10 N, model: coulomb, mu_c: 0.4, mu_s: 0.5}
run: {until: 2 s, output: 0.1 s}
"""
    run = bristle.run(text)
    assert run["block.x"][-1] == pytest.approx(0.25, rel=1e-9)  # v^2 m / (2 mu N)
    assert run["block.v"][-1] == 0.0


def test_own_law():
    page = """law: rough
title: a rough track
limits: none
cite: here
defaults: {from: here, load: 10 N}
parameters:
  mu: {default: 0.3, range: [0, 10], role: sliding level, text: level}
equations: |
  F = mu*N*tanh(v/(0.001 m/s))
"""
    law = bristle.Law.from_text(page, mu=0.4)
    assert law.force(1.0, 10.0) == pytest.approx(4.0)
    with pytest.raises(ValueError, match="text:9: equations: .*'vv' is not known"):
        bristle.Law.from_text(page.replace("tanh(v/", "tanh(vv/"))


# ---- one contact ----------------------------------------------------------------------------------

speeds = st.floats(-10.0, 10.0)


@given(v=speeds, n=st.floats(0.0, 1e4), h=st.floats(0.0, 10.0), name=st.sampled_from(names))
@settings(max_examples=200, deadline=None)
def test_steps_are_finite(v, n, h, name):
    law = bristle.Law(name)
    assert math.isfinite(law.step(v, n, h)) and all(math.isfinite(z) for z in law.z)
    assert math.isfinite(law.force(v, n))


@given(v=st.lists(speeds, min_size=1, max_size=50), h=st.floats(1e-6, 1.0))
@settings(max_examples=50, deadline=None)
def test_arrays_are_loops(v, h):
    law = bristle.Law("lugre")
    forces, states = law.steps(v, law.load, h)
    for i, speed in enumerate(v):
        law.rest()
        assert forces[i] == pytest.approx(law.step(speed, law.load, h), rel=1e-9, abs=1e-9)
        assert states[i] == pytest.approx(law.z[0], rel=1e-9, abs=1e-15)


def test_arrays_are_not_copied():
    law = bristle.Law("lugre")
    v, z, F = numpy.full(1000, 0.01), numpy.zeros(1000), numpy.zeros(1000)
    law.steps(v, numpy.full(1000, 100.0), 1e-3, z, F)
    assert F.all() and z.all()


def test_jacobian():
    law = bristle.Law("lugre", gamma=2)
    law.z = [3e-4]
    h = 1e-7
    slope = (law.force(0.01 + h, 100.0) - law.force(0.01 - h, 100.0)) / (2 * h)
    assert law.jac(0.01, 100.0)[0][1] == pytest.approx(slope, rel=1e-5)


def test_mass_sticks():
    law = bristle.Law("coulomb")
    x = v = 0.0
    for _ in range(100):
        F, x, v = law.mass_step(1e-3, 5.9, 10.0, 1e-3, x, v)
    assert (F, x, v) == (5.9, 0.0, 0.0)


def test_threads():
    results = {}

    def work(k):
        results[k] = list(bristle.run("rabinowicz", set={"run.until": 5})["block.x"])

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert all(results[k] == results[0] for k in range(4))


# ---- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wrong, kind, words",
    [
        (lambda: bristle.Law("lugr"), KeyError, "did you mean 'lugre'"),
        (lambda: bristle.Law("lugre", mu_c=-1), ValueError, "mu_c = -1 is outside"),
        (lambda: bristle.Law("lugre", mu_c=0.9), ValueError, "mu_s must be >= mu_c"),
        (lambda: bristle.Law("lugre", v_s="3 kg"), ValueError, "kg"),
        (lambda: bristle.Law("lugre", speed=1), TypeError, "no parameter 'speed'"),
        (lambda: bristle.Law("lugre", mu_c=None), TypeError, "real number"),
        (lambda: bristle.Law(3), TypeError, "str"),
        (lambda: bristle.Law("lugre").step(1.0, 2.0), TypeError, "2 arguments"),
        (lambda: bristle.Law("lugre").step(1.0, 2.0, -1.0), ValueError, "h must be >= 0"),
        (lambda: bristle.Law("lugre").mass_step(0.0, 1.0, 1.0, 1e-3, 0.0, 0.0), ValueError, "positive"),
        (lambda: bristle.Law("lugre").steps([1.0, 2.0], 1.0, 1e-3, z=numpy.zeros(3)), ValueError, "where 2 are wanted"),
        (lambda: bristle.Law("lugre").steps([1.0], 1.0, 1e-3, z=numpy.zeros(1, "f")), TypeError, "doubles"),
        (lambda: setattr(bristle.Law("lugre"), "z", [1.0, 2.0]), ValueError, "where 1 are wanted"),
        (lambda: setattr(bristle.Law("lugre"), "z", [math.nan]), ValueError, "not a number"),
        (lambda: delattr(bristle.Law("lugre"), "mu_c"), AttributeError, "cannot be deleted"),
        (lambda: bristle.run("rabinowiz"), (ValueError, OSError), "rabinowicz"),
        (lambda: bristle.run("rabinowicz", set={"pad.sgma0": 1}), ValueError, "did you mean 'sigma0'"),
        (lambda: bristle.run("rabinowicz", model="lugr"), KeyError, "lugr"),
        (lambda: bristle.run("bodies:\n  a: {mas: 3}\n"), ValueError, "did you mean 'mass'"),
    ],
)
def test_refusals(wrong, kind, words):
    with pytest.raises(kind, match=words):
        wrong()


def test_levels_given_together_need_not_fit_one_by_one():
    law = bristle.Law("lugre", mu_c=0.9, mu_s=1.2)
    assert (law.mu_c, law.mu_s) == (0.9, 1.2)
    law.mu_c = 0.1
    with pytest.raises(ValueError):
        law.mu_s = 0.05
    assert law.mu_s == 1.2
