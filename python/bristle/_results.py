"""What runs, comparisons and identifications return."""

import json as _json
from collections.abc import Mapping as _Mapping


def _view(data):
    return memoryview(data).cast("d")


class _Columns(_Mapping):
    """Columns by name, in self._columns."""

    def __getitem__(self, name):
        return self._columns[name]

    def __iter__(self):
        return iter(self._columns)

    def __len__(self):
        return len(self._columns)


class Run(_Columns):
    """The columns of a run: run["block.x"] is a memoryview of doubles, run.units["block.x"] its unit.

    title, notes (what should be known of the parameters), and events: a list of (t, contact, from, to, F)
    with the modes -1, 0, +1: slides backward, sticks, slides forward.
    """

    def __init__(self, title, columns, events, notes=""):
        self.title = title
        self.notes = notes
        self.events = events
        self.units = {name: unit for name, (_, unit) in columns.items()}
        self._columns = {name: _view(data) for name, (data, _) in columns.items()}

    def to_pandas(self):
        """A pandas.DataFrame with the time as its index."""
        import numpy
        import pandas

        return pandas.DataFrame({name: numpy.asarray(self[name]) for name in self}).set_index("t")

    def plot(self, *columns, axes=None):
        """Draw columns over time with matplotlib, one diagram below the other; without names positions,
        velocities and friction forces. Returns the axes."""
        import matplotlib.pyplot
        import numpy

        names = columns or [name for name in self if name.rpartition(".")[2] in ("x", "v", "F")]
        for name in names:
            self[name]
        if axes is None:
            _, axes = matplotlib.pyplot.subplots(len(names), sharex=True, squeeze=False)
            axes = list(axes[:, 0])
        for ax, name in zip(axes, names):
            ax.plot(numpy.asarray(self["t"]), numpy.asarray(self[name]))
            ax.set_ylabel(f"{name} [{self.units[name]}]")
        axes[-1].set_xlabel("t [s]")
        axes[0].set_title(self.title)
        return axes

    def __repr__(self):
        return f"<bristle.Run {self.title!r}: {len(self['t'])} rows, {len(self)} columns>"


class Sweep(_Columns):
    """The columns of a sweep: what was varied, then what was measured, a value for each point; units, and for
    points that failed or are not to be trusted reasons: {point: words}. points: their numbers, which a part has not
    all of; indices: of Sobol or Morris, a dict for each measure and input; settings: what was asked for."""

    def __init__(self, columns, points, indices, settings):
        self.units = {name: unit for name, unit, _ in columns}
        self.points = [i for i, _, _, _ in points]
        self.reasons = {i: words for i, _, status, words in points if status}
        self.indices = [] if indices is None else _json.loads(indices)
        self.settings = settings
        self._columns = {
            name: [row[k] if words is None or row[k] != row[k] else words[int(row[k])] for _, row, _, _ in points]
            for k, (name, _, words) in enumerate(columns)
        }

    def to_pandas(self):
        """A pandas.DataFrame, a row for each point."""
        import pandas

        return pandas.DataFrame(self._columns)

    def plot(self, x, y, ax=None):
        """Draw one column over another with matplotlib; returns the axes."""
        import matplotlib.pyplot

        ax = ax or matplotlib.pyplot.gca()
        ax.plot(self[x], self[y], ".")
        ax.set_xlabel(f"{x} [{self.units[x]}]")
        ax.set_ylabel(f"{y} [{self.units[y]}]")
        return ax

    def __repr__(self):
        points = len(next(iter(self._columns.values()), ()))
        return f"<bristle.Sweep: {points} points, {', '.join(self)}>"


class Comparison:
    """Laws compared: rows (a dict for each law), advice (sentences), and the curves: t, y (by law), F (by
    law). column and unit tell what y is."""

    def __init__(self, text, t, curves):
        found = _json.loads(text)
        self.title, self.column, self.unit = found["title"], found["column"], found["unit"]
        self.reference, self.rows, self.advice = found["reference"], found["rows"], found["advice"]
        self.t = _view(t)
        good = [(row["law"], curve) for row, curve in zip(self.rows, curves) if curve]
        self.y = {law: _view(curve[0]) for law, curve in good}
        self.v = {law: _view(curve[1]) for law, curve in good}
        self.F = {law: _view(curve[2]) for law, curve in good}

    def to_pandas(self):
        """A pandas.DataFrame, a row for each law."""
        import pandas

        return pandas.DataFrame(self.rows).set_index("law")

    def plot(self, ax=None):
        """Draw the column of all laws over time with matplotlib; returns the axes."""
        import matplotlib.pyplot
        import numpy

        ax = ax or matplotlib.pyplot.gca()
        for law, y in self.y.items():
            ax.plot(numpy.asarray(self.t), numpy.asarray(y), label=law)
        ax.set_xlabel("t [s]")
        ax.set_ylabel(f"{self.column} [{self.unit}]")
        ax.set_title(self.title)
        ax.legend()
        return ax

    def __repr__(self):
        return f"<bristle.Comparison {self.title!r}: {', '.join(row['law'] for row in self.rows)}>"


class Identification:
    """What was found: data (what the recordings are like), fits (a dict for each law, the best first, with
    its estimates), advice, and rigs: the scenario with the values of each fit, a text for bristle.run."""

    def __init__(self, text, rigs):
        found = _json.loads(text)
        self.data, self.fits, self.advice = found["data"], found["fits"], found["advice"]
        self.rigs = rigs

    @property
    def rig(self):
        """The scenario with the values of the best fit; None if there is none."""
        return self.rigs[0] if self.rigs else None

    def __getitem__(self, name):
        """The estimate of an unknown by the best fit, such as "pad.Fc"."""
        for row in self.fits[0]["estimates"] if self.fits else ():
            if row["name"] == name:
                return row
        raise KeyError(f"there is no estimate of '{name}'")

    def to_pandas(self, fit=0):
        """The estimates of a fit as a pandas.DataFrame."""
        import pandas

        return pandas.DataFrame(self.fits[fit]["estimates"]).set_index("name")

    def __repr__(self):
        return f"<bristle.Identification: {', '.join(fit['law'] for fit in self.fits) or 'refused'}>"
