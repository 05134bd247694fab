"""Rigs: from files, texts and objects; run, simulated step by step, compared, identified."""

import contextlib as _contextlib
import json as _json
import numbers as _numbers
import os as _os
import sys as _sys
import tempfile as _tempfile
from collections.abc import Mapping as _Mapping

from . import _core
from ._laws import Law
from ._results import Comparison, Identification, Run, Sweep


def scenarios():
    """Names of the scenarios that come with bristle."""
    return _core.scenarios()


class Rig:
    """A rig made of objects; what `bristle check` and the C library know as a scenario.

    >>> rig = bristle.Rig("A block on a belt", until="20 s")
    >>> rig.body("block", mass="1 kg")
    >>> rig.body("belt", velocity=0.1)
    >>> rig.coupling("pull", "spring", "ground", "block", stiffness="2 N/m")
    >>> rig.contact("pad", "block", "belt", bristle.Law("lugre", mu_c=0.1, mu_s=0.15), load="9.81 N")
    >>> bristle.run(rig)

    Keys and values are those of scenario files: numbers in SI, texts with units, expressions, signals as
    {"sine": {"amplitude": "2 N", "frequency": "3 Hz"}}. str(rig) is the file.
    """

    def __init__(self, title="", *, parameters=None, signals=None, gravity=None, **run):
        self.sections = {"title": title or "rig"}
        for key, value in (("parameters", parameters), ("signals", signals), ("gravity", gravity)):
            if value is not None:
                self.sections[key] = value
        self.sections.update(bodies={}, couplings={}, contacts={}, drives={}, run=run)
        self.pages = {}

    def _add(self, section, name, keys):
        if name in self.sections[section]:
            raise ValueError(f"{section}: '{name}' is there already")
        self.sections[section][name] = {key: value for key, value in keys.items() if value is not None}

    def body(self, name, **keys):
        """A body: mass=, or inertia= of a rotor, or position= or velocity= as prescribed; x=, v= at the start."""
        self._add("bodies", name, keys)

    def coupling(self, name, kind, a, b, **keys):
        """A spring, damper, spring_damper, rope, gear or rack between two bodies, or "ground"."""
        self._add("couplings", name, {kind: [a, b], **keys})

    def contact(self, name, a, b, law, load=None, **keys):
        """Friction of body a on body b by a law: its name, with parameters as keys, or a Law."""
        if isinstance(law, Law):
            if law.page is not None:
                self.pages[law.name] = law.page
            keys = {**{p["name"]: p["value"] for p in law.parameters}, **keys}
            law = law.name
        self._add("contacts", name, {"between": [a, b], "load": load, "model": law, **keys})

    def drive(self, name, on, force=None, torque=None, **keys):
        """A force, or a torque on a rotor: a number, a signal, an expression."""
        self._add("drives", name, {"on": on, "force": force, "torque": torque, **keys})

    def __str__(self):
        return _text_of(self.sections, self.pages.values())


def _plain(value):
    """Numbers of other packages as numbers of Python, laws as their names."""
    if isinstance(value, (bool, str)) or value is None:
        return value
    if isinstance(value, _numbers.Integral):
        return int(value)
    if isinstance(value, _numbers.Real):
        return float(value)
    if isinstance(value, _Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value]


def _value(value):
    """As it would stand in a file."""
    return value if isinstance(value, str) else _json.dumps(_plain(value))


def _text_of(sections, pages=()):
    """A scenario file: a line for each key, with its value in the style of JSON."""
    lines = []
    for key, value in sections.items():
        if isinstance(value, _Mapping) and value:
            lines += [f"{key}:"] + [f"  {_json.dumps(str(k))}: {_json.dumps(_plain(v))}" for k, v in value.items()]
        elif not isinstance(value, _Mapping):
            lines.append(f"{key}: {_json.dumps(_plain(value))}")
    if pages:
        lines.append("laws:")
    for page in pages:
        body = page.strip("\n").split("\n")
        lines += ["  -"] + ["    " + line for line in body]
    return "\n".join(lines) + "\n"


def _source(source, set, model, laws):
    """What the extension takes: (text, whether it is one, settings, files of laws, law)."""
    if isinstance(source, _Mapping):
        source = _text_of(source)
    is_text = isinstance(source, Rig) or (isinstance(source, str) and "\n" in source)
    text = str(source) if isinstance(source, (str, Rig)) else _os.fspath(source)
    if isinstance(laws, (str, _os.PathLike)):
        laws = [laws]
    model = model._model if isinstance(model, Law) else model
    pairs = [(key, _value(value)) for key, value in (set or {}).items()]
    return (text, is_text, pairs, [_os.fspath(file) for file in laws], model)


@_contextlib.contextmanager
def _file(source):
    """The same with a file in the place of a text."""
    text, is_text, *rest = source
    if not is_text:
        yield source
        return
    with _tempfile.TemporaryDirectory() as folder:
        name = _os.path.join(folder, "rig.yaml")
        with open(name, "w", encoding="utf-8") as out:
            out.write(text)
        yield (name, False, *rest)


def _models(laws):
    if laws == "all":
        return _core.laws()
    return [law._model if isinstance(law, Law) else law for law in ([laws] if isinstance(laws, (str, Law)) else laws)]


@_contextlib.contextmanager
def _progress(progress):
    """progress: None; a function of the share that is done; True: a line on standard error."""
    if progress is not True:
        yield progress or None
        return
    shown = [-1]

    def show(share):
        if int(100 * share) > shown[0]:
            shown[0] = int(100 * share)
            print(f"\r{shown[0]:3d} %", end="", file=_sys.stderr, flush=True)

    try:
        yield show
    finally:
        print("\r     \r", end="", file=_sys.stderr, flush=True)


def run(source, *, set=None, model=None, laws=(), progress=None):
    """Run a scenario: the name of one that ships, a file, its text (with a line end in it), a Rig, or a
    dict with the keys of a file. Returns a Run.

    set: values by their keys, {"pad.sigma0": "2e5 N/m", "run.until": 10}; model: a law in the place of
    all others, by name or as a Law; laws: files of laws that are known by name as well; progress: a
    function of the share that is done, or True.
    """
    with _progress(progress) as tell:
        return Run(*_core.run(_source(source, set, model, laws), tell))


class Sim(_core.Sim):
    """A living simulation: advance it, read it, change its numbers, save it, copy it.

    >>> sim = bristle.Sim(rig)
    >>> sim["push.force"] = 3.0            # numbers by the names of a file, from now on; texts with units
    >>> sim.advance(0.001)                 # the integrator never uses a number beyond that time
    >>> sim.read("mass.x")                 # the columns of a run, now
    >>> before = sim.save(); sim.restore(before)

    sim["block.x"] is the position at the start, sim.read("block.x") that of now.
    """

    def __new__(cls, source, *, set=None, model=None, laws=()):
        return super().__new__(cls, _source(source, set, model, laws))

    def set(self, values):
        """Give several numbers at once, which must fit together: {"pad.Fc": 3, "pad.Fs": "4 N"}."""
        self._set(dict(values))

    def __repr__(self):
        return f"<bristle.Sim {self.title!r} at t = {self.t:g} s>"


def compare(
    source, laws=(), *, reference=None, column=None, measured=None, map=None, shift=0.0, set=None, known=(),
    threads=0, progress=None,
):  # fmt: skip
    """Run a scenario with several laws (none: those it names; "all") and measure how far each is from the
    reference: a law, or measured data of a CSV file with the map of its columns, "block.x=pos[mm],t=time[ms]".
    shift: added to its times [s], or "auto". Returns a Comparison."""
    auto = shift == "auto"
    named = _models(reference)[0] if reference is not None else None
    with _progress(progress) as tell, _file(_source(source, set, None, known)) as place:
        return Comparison(
            *_core.compare(
                place, _models(laws), named, column, None if measured is None else _os.fspath(measured), map,
                0.0 if auto else float(shift), auto, threads, tell,
            )
        )  # fmt: skip


def identify(
    source, data, map, *, free=None, laws=(), validate=(), each=None, way="auto", filter=0.0, anyway=False,
    set=None, known=(), threads=0, progress=None,
):  # fmt: skip
    """Find the parameters of a rig from recordings: CSV files, whose columns the map joins to those of the
    rig, "axis.x=position[mm],drive.force=35.15*current[A],t=time[s]". free: what is unknown,
    "pad.Fc,axis.mass"; laws: to be ranked. Returns an Identification."""
    files = [[item] if isinstance(item, (str, _os.PathLike)) else list(item) for item in (data, validate)]
    files = [[_os.fspath(name) for name in names] for names in files]
    with _progress(progress) as tell, _file(_source(source, set, None, known)) as place:
        return Identification(
            *_core.identify(
                place, _models(laws), files[0], files[1], map, free, each, way, float(filter), anyway, threads, tell
            )
        )  # fmt: skip


def _settings(given):
    """{"pad.mu_c": "normal(0.3, 0.02)"} and {"belt.velocity": [0.1, 0.2]} as the command has them."""
    if isinstance(given, str):
        return [given]
    if not isinstance(given, _Mapping):
        return list(given)
    return [
        f"{key}={value if isinstance(value, str) else ','.join(_value(item) for item in value)}"
        for key, value in given.items()
    ]


@_contextlib.contextmanager
def _points(points):
    """The name of a CSV file: as given, or made of {"block.mass [g]": [500, 1500], ...}, a list of dicts or a
    pandas.DataFrame."""
    if points is None or isinstance(points, (str, _os.PathLike)):
        yield None if points is None else _os.fspath(points)
        return
    if hasattr(points, "to_dict"):
        points = points.to_dict("list")
    if not isinstance(points, _Mapping):
        rows = list(points)
        heads = list(rows[0]) if rows else []
        if any(list(row) != heads for row in rows):
            raise ValueError("points: every row needs the same addresses, in the same order")
        points = {head: [row[head] for row in rows] for head in heads}
    columns = [[float(value) for value in column] for column in points.values()]
    if len({len(column) for column in columns}) > 1:
        raise ValueError("points: every address needs as many values as the others")
    with _tempfile.TemporaryDirectory() as folder:
        name = _os.path.join(folder, "points.csv")
        with open(name, "w", encoding="utf-8") as out:
            out.write(",".join(str(head) for head in points) + "\n")
            out.writelines(",".join(map(repr, row)) + "\n" for row in zip(*columns))
        yield name


def _part(part):
    """(2, 8) of "2/8" or (2, 8)."""
    if part is None:
        return 0, 0
    given = part.split("/") if isinstance(part, str) else list(part)
    try:
        i, n = (int(value) for value in given)
    except ValueError:
        i = n = 0
    if not 1 <= i <= n < 2**31:
        raise ValueError(f"part: I/N with I from 1 to N, such as '2/8', not {part!r}")
    return i, n


def sweep(
    source, measures, *, vary=(), random=(), each=(), correlate=(), points=None, samples=0, seed=1, sampling="random",
    indices=None, start=0.0, slip_speed=0.0, laws=(), solvers=(), set=None, known=(), part=None, file=None,
    resume=False, overwrite=False, keep=None, plot=None, limit=None, report=None, threads=0, progress=None,
):  # fmt: skip
    """Run a scenario at many points and measure at each: bristle.sweep("belt", ["period", "top=max(abs(pad.F))"],
    vary={"belt.velocity": "0.01:1:50", "block.mass": [1, 2, 5]}). vary: LEAST:MOST:COUNT, log:LEAST:MOST:COUNT or
    values; random: distributions, "normal(0.3, 0.02)"; points: a CSV file, {"block.mass": [1, 2], ...}, a list of
    dicts or a pandas.DataFrame; laws: put on every contact, one after the other; solvers: names, one after the
    other; start: time from which on is measured [s]; slip_speed: where the law is smooth, a contact slides from
    there on [m/s]. indices: "sobol" or "morris", samples for Sweep.indices.

    file: results as FILE.csv or FILE.sqlite, kept as they come: resume=True goes on with them, overwrite=True makes
    them anew; part: "2/8", only that part, for bristle.merge; keep: a folder for the rows of every run; plot: a
    picture, with the line where the expression limit is 0; report: a folder for a page. Returns a Sweep."""
    measures = [measures] if isinstance(measures, str) else list(measures)
    solvers = [solvers] if isinstance(solvers, str) else list(solvers)
    if (samples or seed != 1 or sampling == "halton") and indices is None and not (random or each):
        raise ValueError("samples, seed, sampling: nothing has a distribution, which random=... gives")
    if indices is not None:
        if indices not in ("sobol", "morris"):
            raise ValueError(f"indices: {indices!r} is none of sobol, morris")
        if sampling != "random":
            raise ValueError("indices have a sampling of their own: leave sampling out")
        sampling = indices
    if (resume or overwrite) and file is None:
        raise ValueError("resume and overwrite need a file")
    if resume and overwrite:
        raise ValueError("resume and overwrite contradict each other")
    names = [None if name is None else _os.fspath(name) for name in (keep, file, plot, report)]
    with (
        _progress(progress) as tell,
        _file(_source(source, set, None, known)) as place,
        _points(points) as table,
    ):
        return Sweep(
            *_core.sweep(
                place, _models(laws), _settings(vary), _settings(random), _settings(each), _settings(correlate),
                measures, solvers, samples, seed, sampling, start, slip_speed, *_part(part), threads, table, names[0],
                limit, names[1], 1 if resume else 2 if overwrite else 0, names[2], names[3], tell,
            )
        )  # fmt: skip


def merge(files, to, *, unfinished=False):
    """Put the parts of a sweep together: bristle.merge(["a1.csv", "a2.csv"], "a.csv"), results or FILE.sweep of
    unfinished ones. unfinished: take what is there. Returns the number of points."""
    files = [files] if isinstance(files, (str, _os.PathLike)) else list(files)
    return _core.merge([_os.fspath(name) for name in files], _os.fspath(to), unfinished)
