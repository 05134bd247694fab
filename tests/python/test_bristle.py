"""The Python package against the command line, closed forms and its own promises."""

import ast
import csv
import inspect
import io
import math
import os
import shutil
import signal
import subprocess
import threading

import bristle
import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

command = os.environ["BRISTLE"]
names = bristle.laws()
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


# ---- rigs made of objects, living simulations -----------------------------------------------------


def sled(law="coulomb", **keys):
    rig = bristle.Rig("sled", until=2, output=0.1)
    rig.body("block", mass="2 kg", v=1)
    rig.contact("pad", "block", "ground", law, load="10 N", **keys)
    return rig


def test_rig_of_objects():
    keys = {"mu_c": numpy.float64(0.4), "mu_s": 0.5}
    for law in (bristle.Law("coulomb", **keys), bristle.law.coulomb(**keys)):
        assert bristle.run(sled(law))["block.x"][-1] == pytest.approx(0.25, rel=1e-9)
    run = bristle.run(sled("coulomb", **keys))
    assert run["block.x"][-1] == pytest.approx(0.25, rel=1e-9)
    assert list(bristle.run(str(sled("coulomb", **keys)))["block.x"]) == list(run["block.x"])
    assert list(bristle.run(sled("coulomb", **keys).sections)["block.x"]) == list(run["block.x"])
    with pytest.raises(ValueError, match="'block' is there already"):
        sled().body("block", mass=1)


def test_signals_of_objects():
    rig = bristle.Rig("push", until=1, output=0.5)
    rig.body("block", mass=1)
    rig.drive("push", "block", force={"sum": [1.0, {"step": {"value": "2 N", "at": "0.5 s"}}]})
    assert bristle.run(rig)["block.v"][-1] == pytest.approx(2.0)


def test_rig_with_own_law():
    own = bristle.Law.from_text(page, mu=0.4)
    run = bristle.run(sled(own), set={"run.until": 0.5})
    assert run["block.v"][-1] == pytest.approx(0.0, abs=1e-3)
    moved = bristle.run(sled(mu_c=0.2, mu_s=0.2), model=own)  # by role
    assert moved["pad.F"][0] == pytest.approx(2.0)


def test_laws_of_a_file(tmp_path):
    (tmp_path / "rough.yaml").write_text(page)
    run = bristle.run(sled("rough", mu=0.4), laws=tmp_path / "rough.yaml")
    assert run["pad.F"][0] == pytest.approx(4.0)
    assert bristle.Law.from_file(tmp_path / "rough.yaml").force(1.0, 10.0) == pytest.approx(3.0)


def test_simulation_goes_where_a_run_goes():
    run = bristle.run("rabinowicz", set={"run.until": 5})
    sim = bristle.Sim("rabinowicz", set={"run.until": 5})
    for i, t in enumerate(run["t"]):
        sim.advance(t)
        now = sim.read()
        assert all(now[name] == run[name][i] for name in run)
    assert (sim.t, sim.t_end, sim.output) == (5.0, 5.0, 0.01) and sim.units == run.units
    assert sim.stats["steps"] > 10


def test_numbers_of_a_simulation():
    sim = bristle.Sim(sled(mu_c=0.4, mu_s=0.5))
    numbers = {n["name"]: n for n in sim.numbers()}
    assert numbers["pad.mu_c"]["unit"] == "1" and numbers["block.mass"]["value"] == 2.0
    assert all(sim[name] == n["value"] for name, n in numbers.items())
    sim["block.mass"] = "4000 g"
    sim.advance(2.0)
    assert sim.read("block.x") == pytest.approx(0.5, rel=1e-9)
    sim.set({"pad.mu_s": 1.0, "pad.mu_c": 0.8})
    sim.reset()
    sim.advance(2.0)
    assert sim.read("block.x") == pytest.approx(0.25, rel=1e-9)
    assert [e[1:4] for e in sim.events()] == [("pad", 1, 0)] and sim.events() == []
    sim.reset()
    assert sim.watch(2.0)[0] == pytest.approx(0.5) == sim.t
    assert sim.watch(2.0) is None and sim.t == 2.0


@given(at=st.floats(0.0, 4.0), law=st.sampled_from(["lugre", "coulomb", "dahl"]))
@settings(max_examples=20, deadline=None)
def test_snapshots(at, law):
    sim = bristle.Sim("rabinowicz", model=law)
    sim.advance(at)
    before, twin = sim.save(), sim.copy()
    sim.advance(5.0)
    there = sim.y
    sim.restore(before)
    sim.advance(5.0)
    twin.advance(5.0)
    assert sim.y == there == twin.y
    del sim
    twin.restore(before)
    twin.advance(5.0)
    assert twin.y == there


def test_states_and_rates():
    sim = bristle.Sim("rabinowicz")
    sim.advance(3.0)
    y = sim.y
    assert sim.states == ["block.x", "block.v", "pad.z"] and len(y) == 3
    rates, jacobian = sim.rhs(3.0, y), sim.jacobian(3.0, y)
    for k in range(3):
        h = 1e-7 * max(abs(y[k]), 1e-3)
        up, down = [[y[i] + s * h * (i == k) for i in range(3)] for s in (1, -1)]
        slopes = [(a - b) / (2 * h) for a, b in zip(sim.rhs(3.0, up), sim.rhs(3.0, down))]
        assert [row[k] for row in jacobian] == pytest.approx(slopes, rel=1e-4, abs=1e-4)
    assert rates[0] == y[1]
    sim.y = [1.0, 0.0, 0.0]
    assert sim.read("block.x") == 1.0


def test_one_thread_at_a_time():
    sim, said = bristle.Sim("rabinowicz", set={"run.rtol": 1e-13, "run.until": 2000}), []

    def meddle():
        for _ in range(1000):
            try:
                sim.read("block.x")
            except RuntimeError as wrong:
                said.append(str(wrong))
                return

    other = threading.Thread(target=sim.advance, args=(2000.0,))
    other.start()
    while other.is_alive() and not said:
        meddle()
    other.join()
    assert all("another thread advances" in text for text in said)


# ---- studies --------------------------------------------------------------------------------------


def test_comparison_of_the_command():
    shares = []
    found = bristle.compare("rabinowicz", ["lugre", "dahl"], set={"run.until": 10}, progress=shares.append)
    table = rows("compare", "rabinowicz", "--models", "lugre,dahl", "--until", "10", "--csv")
    assert [row["law"] for row in found.rows] == ["lugre", "dahl"]
    for ours, theirs in zip(found.rows, table):
        assert ours["xi"] == pytest.approx(float(theirs["xi"]), rel=1e-9)
    assert found.advice and found.column == "block.x" and len(found.t) == len(found.y["dahl"])
    assert found.to_pandas().loc["dahl", "xi"] == found.rows[1]["xi"]
    assert shares == sorted(shares) and shares[-1] == 1.0
    own = bristle.Law.from_text(page)
    assert [row["law"] for row in bristle.compare(sled(), [own, "coulomb"]).rows] == ["rough", "coulomb"]


def test_sweep_of_the_command():
    shares = []
    found = bristle.sweep(
        "belt",
        ["period", "top=max(abs(pad.F))"],
        vary={"belt.velocity": [0.05, 0.1], "block.mass": "1:2:3"},
        set={"run.until": 10},
        progress=shares.append,
    )
    table = rows("sweep", "belt", "--vary", "belt.velocity=0.05,0.1", "--vary", "block.mass=1:2:3", "--until", "10",
                 "--measure", "period,top=max(abs(pad.F))")  # fmt: skip
    assert len(table) == len(found["top"]) == 6 and shares[-1] == 1.0 and not found.reasons
    for name in ("belt.velocity", "block.mass", "period", "top"):
        key = [key for key in table[0] if key.split("[")[0].strip() == name][0]
        assert found[name] == pytest.approx([float(row[key] or "nan") for row in table], rel=1e-6, nan_ok=True)
    assert found.units["top"] == "N" and len(found.to_pandas()) == 6
    again = bristle.sweep(sled(mu_c=0.4, mu_s=0.9), "end=last(block.x)", random={"pad.mu_c": "uniform(0.2, 0.8)"}, samples=5)
    assert len(set(again["pad.mu_c"])) == 5 and len(again) == 2
    # it slides v^2 m / (2 mu N)
    assert again["end"] == pytest.approx([0.1 / mu for mu in again["pad.mu_c"]], rel=1e-6)
    models = bristle.sweep("belt", "max(pad.F)", laws=["lugre", "dahl"], set={"run.until": 2})
    assert models["model"] == ["lugre", "dahl"]
    for option in ({"samples": 20}, {"seed": 2}, {"sampling": "halton"}):
        with pytest.raises(ValueError, match="nothing has a distribution"):
            bristle.sweep("belt", "period", vary={"block.mass": [1, 2]}, **option)


def test_sweep_of_points(tmp_path):
    # it slides v^2 m / (2 mu N), v = 1 m/s and m = 2 kg of the sled in units of its load
    given = {"pad.mu_c": [0.2, 0.4, 0.8], "block.mass [g]": [1000, 2000, 3000]}
    found = bristle.sweep(sled(mu_s=0.9), "end=last(block.x)", points=given)
    assert found["pad.mu_c"] == given["pad.mu_c"] and found["block.mass"] == [1.0, 2.0, 3.0]
    base = found["end"][1] * 0.4 / 2.0
    assert found["end"] == pytest.approx([base * m / mu for mu, m in zip(found["pad.mu_c"], found["block.mass"])], rel=1e-9)
    as_rows = [dict(zip(given, values)) for values in zip(*given.values())]
    pandas = pytest.importorskip("pandas")
    file = tmp_path / "points.csv"
    pandas.DataFrame(given).to_csv(file, index=False)
    for other in (as_rows, pandas.DataFrame(given), file, str(file)):
        assert bristle.sweep(sled(mu_s=0.9), "end=last(block.x)", points=other)["end"] == found["end"]
    with pytest.raises(ValueError, match="as many values"):
        bristle.sweep(sled(), "period", points={"pad.mu_c": [0.2], "block.mass": [1, 2]})
    with pytest.raises(ValueError, match="same addresses"):
        bristle.sweep(sled(), "period", points=[{"pad.mu_c": 0.2}, {"block.mass": 1}])


def test_sweep_of_solvers():
    found = bristle.sweep("belt", "end=last(block.x)", solvers=["rosenbrock", "rk4"], laws=["lugre", "coulomb"],
                          set={"run.until": 1, "run.step": "0.1 ms"})  # fmt: skip
    assert found["solver"] == ["rosenbrock", "rk4"] * 2 and found["model"] == ["lugre"] * 2 + ["coulomb"] * 2
    assert found["end"][0] == pytest.approx(found["end"][1], rel=1e-3)
    # what does not go together is a row with its reason
    assert list(found.reasons) == [3] and "rk4 cannot do" in found.reasons[3] and math.isnan(found["end"][3])


def test_indices_of_a_sum():
    # y = 3 v + 2 x with deviations 0.2 and 1/sqrt(12): shares 0.36 and 1/3 of their sum
    sum_ = "y=3*first(block.v)/(1 m/s)+2*first(block.x)/(1 m)"
    inputs = {"block.v": "normal(2, 0.2)", "block.x": "uniform(0, 1)"}
    found = bristle.sweep(sled(), sum_, random=inputs, indices="sobol", samples=2000)
    assert len(found["y"]) == 8000 and [row["input"] for row in found.indices] == ["block.v", "block.x"]
    for row, share in zip(found.indices, (0.36 / (0.36 + 1 / 3), 1 / 3 / (0.36 + 1 / 3))):
        assert row["measure"] == "y" and abs(row["first"] - share) < 0.02 and abs(row["total"] - share) < 0.02
        assert 0.0 < row["first_off"] < 0.1
    inputs["block.v"] = "uniform(1, 3)"
    effects = bristle.sweep(sled(), sum_, random=inputs, indices="morris", samples=20, vary={"pad.mu_c": [0.1, 0.2]})
    assert [row["pad.mu_c"] for row in effects.indices] == [0.1, 0.1, 0.2, 0.2]
    for row, size in zip(effects.indices, (6.0, 2.0) * 2):
        assert row["size"] == pytest.approx(size) and row["mean"] == pytest.approx(size)
        assert row["deviation"] == pytest.approx(0.0, abs=1e-9)
    assert not bristle.sweep(sled(), sum_, random=inputs, samples=3).indices


def test_sweep_writes_files(tmp_path):
    speeds = {"belt.velocity": "0.05:0.2:6"}
    def swept(**more):
        return bristle.sweep("belt", "top=max(block.x)", vary=speeds, set={"run.until": 2}, **more)

    whole = swept(file=tmp_path / "all.csv", keep=tmp_path / "runs")
    text = (tmp_path / "all.csv").read_text()
    assert [float(row["top"]) for row in csv.DictReader(io.StringIO(text))] == whole["top"]
    assert whole.points == list(range(6)) and "vary: belt.velocity=0.05:0.2:6" in whole.settings
    assert len(list((tmp_path / "runs").glob("point-*.csv"))) == 6
    with pytest.raises(ValueError, match="exists already"):
        swept(file=tmp_path / "all.csv")
    assert swept(file=tmp_path / "all.csv", resume=True)["top"] == whole["top"]
    assert swept(file=tmp_path / "all.csv", overwrite=True)["top"] == whole["top"]
    parts = [tmp_path / f"part{i}.csv" for i in (1, 2)]
    for i, file in enumerate(parts):
        assert swept(file=file, part=(i + 1, 2)).points == [i, i + 2, i + 4]
    with pytest.raises(ValueError, match="3 of 6 points are missing"):
        bristle.merge(parts[0], tmp_path / "half.csv")
    assert bristle.merge(parts[:1], tmp_path / "half.csv", unfinished=True) == 3
    assert bristle.merge(parts, tmp_path / "both.csv") == 6 and (tmp_path / "both.csv").read_text() == text


@pytest.mark.skipif(not shutil.which("gnuplot"), reason="pictures need gnuplot")
def test_sweep_draws(tmp_path):
    bristle.sweep("belt", "top=max(block.x)", vary={"belt.velocity": "0.05:0.2:3", "spring.stiffness": [10, 20, 40]},
                  set={"run.until": 1}, plot=tmp_path / "map.svg", limit="spring.stiffness - 15 N/m",
                  report=tmp_path / "page")  # fmt: skip
    assert "limit" in (tmp_path / "map.svg").read_text() and (tmp_path / "page" / "report.html").exists()


def test_identification_of_steady_points(tmp_path):
    law = bristle.Law("stribeck", mu_c=3.0, mu_s=5.0, v_s=0.05, kv=8.0)
    data = tmp_path / "points.csv"
    speeds = [s * 0.002 * k for k in range(1, 101) for s in (1, -1)]
    data.write_text("v,F\n" + "".join(f"{v},{F}\n" for v, F in zip(speeds, law.curve(speeds, 1.0))))
    rig = "bodies:\n  b: {mass: 1 kg}\ncontacts:\n" \
        "  pad: {between: [b, ground], model: stribeck, Fc: 1 N, Fs: 2 N, v_s: 0.1 m/s, kv: 1 N s/m}\nrun: {until: 1 s}\n"
    found = bristle.identify(rig, data, "pad.v=v,pad.F=F", free="pad.Fc,pad.Fs,pad.v_s,pad.kv")
    for name, truth in (("Fc", 3.0), ("Fs", 5.0), ("v_s", 0.05), ("kv", 8.0)):
        assert found["pad." + name]["value"] == pytest.approx(truth, rel=1e-4)
    assert len(found.to_pandas()) == 4
    assert bristle.Sim(found.rig)["pad.Fc"] == pytest.approx(3.0, rel=1e-4)


def test_interrupts():
    def enough(share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bristle.run("rabinowicz", progress=enough)
    with pytest.raises(KeyboardInterrupt):
        bristle.compare("rabinowicz", ["lugre"], progress=enough)


def test_ctrl_c():
    asked = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    asked.start()
    with pytest.raises(KeyboardInterrupt):
        bristle.run("rabinowicz", set={"run.until": 1e7, "run.output": 100, "run.rtol": 1e-12})


# ---- pictures, stubs, documentation ------------------------------------------------------------------


def test_pictures(tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plot

    run = bristle.run("rabinowicz", set={"run.until": 5})
    axes = run.plot("block.x", "pad.F")
    assert [ax.get_ylabel() for ax in axes] == ["block.x [m]", "pad.F [N]"]
    assert list(axes[1].lines[0].get_ydata()) == list(run["pad.F"])
    assert len(run.plot()) == len([name for name in run if name.endswith((".x", ".v", ".F"))])
    plot.figure()
    assert len(bristle.compare("rabinowicz", ["lugre", "dahl"], set={"run.until": 2}).plot().lines) == 2
    plot.figure()
    assert bristle.Law("lugre").plot().get_xlabel() == "velocity [m/s]"
    plot.close("all")
    with pytest.raises(KeyError):
        run.plot("block.y")


@pytest.mark.parametrize("name", names)
def test_documentation_of_every_law(name):
    make = getattr(bristle.law, name)
    law = bristle.Law(name)
    assert law.equations.strip() in make.__doc__ and law.cite in make.__doc__
    assert list(inspect.signature(make).parameters) == [p["name"] for p in law.parameters]
    for p in law.parameters:
        assert p["text"] in make.__doc__
    assert make().parameters == law.parameters


def test_stubs_are_complete():
    """Everything public has a stub, and every stub something behind it."""
    tree = ast.parse(open(os.path.join(os.path.dirname(bristle.__file__), "__init__.pyi")).read())
    stubs = {n.name: n for n in tree.body if isinstance(n, (ast.ClassDef, ast.FunctionDef))}
    for name in bristle.__all__:
        thing = getattr(bristle, name)
        if name == "law":
            continue
        if inspect.isfunction(thing):
            ours = list(inspect.signature(thing).parameters)
            args = stubs[name].args
            assert ours == [a.arg for a in args.posonlyargs + args.args + args.kwonlyargs]
            continue
        told = {n.name for n in stubs[name].body if isinstance(n, ast.FunctionDef)}
        told |= {n.target.id for n in stubs[name].body if isinstance(n, ast.AnnAssign)}
        public = {n for n in dir(thing) if not n.startswith("_")} - set(dir(dict)) - {"get", "items"}
        assert public - told - {"keys", "values"} == set(), name
        made = inspect.getsource(thing.__init__) if inspect.isfunction(thing.__init__) else ""
        for entry in told - {"__getattr__"}:
            assert hasattr(thing, entry) or f"self.{entry}" in made, entry


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
        (lambda: bristle.Law("lugre").step(math.nan, 2.0, 1e-3), ValueError, "argument 1 is not a finite number"),
        (lambda: bristle.Law("lugre").force(0.1, math.inf), ValueError, "argument 2 is not a finite number"),
        (lambda: bristle.Law("lugre").steps([1.0, math.nan], 1.0, 1e-3), ValueError, "v: number 1 is not finite"),
        (lambda: bristle.Law("lugre").steps([1.0], math.nan, 1e-3), ValueError, "load is not a finite"),
        (lambda: bristle.Law("lugre").curve([math.inf]), ValueError, "v: number 0 is not finite"),
        (lambda: bristle.Law("lugre").mass_step(0.0, 1.0, 1.0, 1e-3, 0.0, 0.0), ValueError, "positive"),
        (lambda: bristle.Law("lugre").steps([1.0, 2.0], 1.0, 1e-3, z=numpy.zeros(3)), ValueError, "where 2 are wanted"),
        (lambda: bristle.Law("lugre").steps([1.0], 1.0, 1e-3, z=numpy.zeros(1, "f")), TypeError, "doubles"),
        (lambda: setattr(bristle.Law("lugre"), "z", [1.0, 2.0]), ValueError, "where 1 are wanted"),
        (lambda: setattr(bristle.Law("lugre"), "z", [math.nan]), ValueError, "not a number"),
        (lambda: setattr(bristle.Law("lugre"), "mu_k", 1), AttributeError, "did you mean 'mu_c'"),
        (lambda: delattr(bristle.Law("lugre"), "mu_c"), AttributeError, "cannot be deleted"),
        (lambda: bristle.run("rabinowiz"), (ValueError, OSError), "rabinowicz"),
        (lambda: bristle.run("rabinowicz", set={"pad.sgma0": 1}), ValueError, "did you mean 'sigma0'"),
        (lambda: bristle.run("rabinowicz", model="lugr"), KeyError, "lugr"),
        (lambda: bristle.run("bodies:\n  a: {mas: 3}\n"), ValueError, "did you mean 'mass'"),
        (lambda: bristle.run(3), TypeError, "PathLike"),
        (lambda: bristle.run("rabinowicz", set={"run.until": None}), ValueError, "run.until"),
        (lambda: bristle.run("rabinowicz", progress=3), TypeError, "callable"),
        (lambda: bristle.run("rabinowicz", laws="nowhere.yaml"), OSError, "nowhere.yaml"),
        (lambda: bristle.law.lugr, AttributeError, "did you mean 'lugre'"),
        (lambda: bristle.Sim("rabinowicz")["pad.sgma0"], KeyError, "sigma0"),
        (lambda: bristle.Sim("rabinowicz").__setitem__("pad.sigma0", -1.0), ValueError, "sigma0"),
        (lambda: bristle.Sim("rabinowicz").__setitem__("pad.sigma0", "3 kg"), ValueError, "kg"),
        (lambda: bristle.Sim("rabinowicz").__setitem__("pad.sigma0", math.nan), ValueError, "sigma0"),
        (lambda: bristle.Sim("rabinowicz").__delitem__("pad.sigma0"), TypeError, "cannot be deleted"),
        (lambda: bristle.Sim("rabinowicz").set({"pad.mu_c": 9.0}), ValueError, "mu_s must be >= mu_c"),
        (lambda: bristle.Sim("rabinowicz").advance(-1.0), ValueError, "outside the rest of the run"),
        (lambda: bristle.Sim("rabinowicz").advance(math.nan), ValueError, "outside the rest of the run"),
        (lambda: bristle.Sim("rabinowicz").advance("1"), TypeError, "real number"),
        (lambda: bristle.Sim("rabinowicz").read("block.y"), KeyError, "no column 'block.y'"),
        (lambda: bristle.Sim("rabinowicz").restore(b"12345678" * 100), TypeError, "save"),
        (lambda: bristle.Sim("belt").restore(bristle.Sim("rabinowicz").save()), ValueError, "another simulation"),
        (lambda: bristle.Sim("rabinowicz").rhs(0.0, [1.0]), ValueError, "where 3 are wanted"),
        (lambda: setattr(bristle.Sim("rabinowicz"), "y", [math.nan] * 3), ValueError, "finite"),
        (lambda: bristle.compare("rabinowicz", ["lugr"]), KeyError, "did you mean 'lugre'"),
        (lambda: bristle.compare("rabinowicz", ["lugre"], column="block.y"), (KeyError, ValueError), "block.y"),
        (lambda: bristle.identify("belt", "nowhere.csv", "t=t,block.x=x"), (OSError, ValueError), "nowhere.csv"),
        (lambda: bristle.sweep("belt", "perod", vary={"block.mass": [1]}), (ValueError, KeyError), "perod"),
        (lambda: bristle.sweep("belt", "period", vary={"block.mss": [1]}), (ValueError, KeyError), "mss"),
        (lambda: bristle.sweep("belt", "period", sampling="latin"), ValueError, "random or halton"),
        (lambda: bristle.sweep("belt", "period", solvers="rk5"), KeyError, "no solver 'rk5'"),
        (lambda: bristle.sweep("belt", "period", indices="shapley"), ValueError, "none of sobol, morris"),
        (lambda: bristle.sweep("belt", "period", indices="sobol"), ValueError, "inputs with distributions"),
        (lambda: bristle.sweep("belt", "period", indices="sobol", sampling="halton"), ValueError, "of their own"),
        (lambda: bristle.sweep("belt", "period", points="nowhere.csv"), (OSError, ValueError), "nowhere.csv"),
        (lambda: bristle.sweep("belt", "period", points={"block.mss": [1]}), (KeyError, ValueError), "mss"),
        (lambda: bristle.sweep("belt", "period", part="5/4"), ValueError, "I from 1 to N"),
        (lambda: bristle.sweep("belt", "period", resume=True), ValueError, "need a file"),
        (lambda: bristle.sweep("belt", "period", plot="one.svg"), ValueError, "no picture"),
        (lambda: bristle.merge([], "all.csv"), ValueError, "no parts"),
        (lambda: bristle.identify("belt", [], "t=t", way="back"), ValueError, "none of auto, curve"),
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
