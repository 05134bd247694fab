"""Friction laws and rigs that stick and slip.

    >>> import bristle
    >>> law = bristle.Law("lugre", sigma0="1e5 N/m")
    >>> law.step(1e-3, 196.2, 1e-3)                # v, n, h: a contact that keeps its states
    >>> run = bristle.run("rabinowicz", set={"pad.v_s": "2 cm/s"})
    >>> run["block.x"]                             # a memoryview of doubles: numpy.asarray takes it

Numbers are SI; parameters and values of `set` may be texts with a unit. What is wrong is told in one
sentence: ValueError for values and files, KeyError for names, RuntimeError for a run that fails.
"""

from array import array as _array
from collections.abc import Mapping as _Mapping

from . import _core

__version__ = _core.version
__all__ = ["Law", "Run", "laws", "run"]


def laws():
    """Names of all laws."""
    return _core.laws()


class Law(_core.Law):
    """A friction law with parameters and states of its own.

    Law("lugre", mu_c=0.4, v_s="1 cm/s"): parameters are attributes. Law.from_text(page) reads a law of
    one's own from a page of equations.
    """

    @classmethod
    def from_text(cls, page, **parameters):
        """A law from a page of equations, as in law files."""
        return cls(page, True, **parameters)

    def steps(self, v, n, h, z=None, F=None):
        """Advance an array of contacts by h [s] in place: velocities v, loads n (one or as many), states
        z (state after state, all zero if not given). Returns (F, z). Arrays of doubles are not copied."""
        v = v if _is_doubles(v) else _array("d", v)
        count = memoryview(v).nbytes // 8
        z = _array("d", [0.0]) * (count * len(self.z)) if z is None else z
        F = _array("d", [0.0]) * count if F is None else F
        if not isinstance(n, (int, float)) and not _is_doubles(n):
            n = _array("d", n)
        self._steps(v, n, h, z, F)
        return F, z

    def curve(self, v, n=None):
        """Steady-state forces [N] at the velocities v [m/s] under the load n, default that of the law."""
        v = v if _is_doubles(v) else _array("d", v)
        F = _array("d", [0.0]) * (memoryview(v).nbytes // 8)
        self._curve(v, self.load if n is None else n, F)
        return F

    def __repr__(self):
        given = ", ".join(f"{p['name']}={p['value']:g}" for p in self.parameters)
        return f"<bristle.Law {self.name}: {given}>"


def _is_doubles(x):
    try:
        return memoryview(x).format == "d"
    except TypeError:
        return False


class Run(_Mapping):
    """The columns of a run: run["block.x"] is a memoryview of doubles, run.units["block.x"] its unit.

    title, and events: a list of (t, contact, from, to, F) with the modes -1, 0, +1.
    """

    def __init__(self, title, columns, events):
        self.title = title
        self.events = events
        self.units = {name: unit for name, (_, unit) in columns.items()}
        self._columns = {name: memoryview(data).cast("d") for name, (data, _) in columns.items()}

    def __getitem__(self, name):
        return self._columns[name]

    def __iter__(self):
        return iter(self._columns)

    def __len__(self):
        return len(self._columns)

    def to_pandas(self):
        """A pandas.DataFrame with the time as its index."""
        import pandas

        frame = pandas.DataFrame({name: list(column) for name, column in self._columns.items()})
        return frame.set_index("t")

    def __repr__(self):
        return f"<bristle.Run {self.title!r}: {len(self['t'])} rows, {len(self)} columns>"


def run(source, *, set=None, model=None):
    """Run a scenario: the name of one that ships, a file, or its text (with a line end in it).

    set: values by their keys, {"pad.sigma0": "2e5 N/m", "run.until": 10}; model: a law in the place of
    all others.
    """
    text = str(source)
    pairs = [(key, value if isinstance(value, str) else repr(value)) for key, value in (set or {}).items()]
    return Run(*_core.run(text, "\n" in text, pairs, model))
