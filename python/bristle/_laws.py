"""Friction laws as objects."""

import inspect as _inspect
from array import array as _array

from . import _core


def laws():
    """Names of all laws."""
    return _core.laws()


def is_doubles(x):
    try:
        return memoryview(x).format == "d"
    except TypeError:
        return False


def doubles(count):
    return _array("d", bytes(8 * count))


class Law(_core.Law):
    """A friction law with parameters and states of its own.

    Law("lugre", mu_c=0.4, v_s="1 cm/s"): parameters are attributes, in SI or as texts with a unit.
    Law.from_text(page) reads a law of one's own from a page of equations. print(law) tells what it is.
    """

    @classmethod
    def from_text(cls, page, **parameters):
        """A law from a page of equations, as in law files."""
        made = cls(page, True, **parameters)
        made._page = page
        return made

    @classmethod
    def from_file(cls, file, **parameters):
        """A law from a law file."""
        with open(file, encoding="utf-8") as text:
            return cls.from_text(text.read(), **parameters)

    @property
    def page(self):
        """The page of equations of a law of one's own; None for the others."""
        return self.__dict__.get("_page")

    def steps(self, v, n, h, z=None, F=None):
        """Advance an array of contacts by h [s] in place: velocities v, loads n (one or as many), states
        z (state after state, all zero if not given). Returns (F, z). Arrays of doubles are not copied."""
        v = v if is_doubles(v) else _array("d", v)
        count = memoryview(v).nbytes // 8
        z = doubles(count * len(self.z)) if z is None else z
        F = doubles(count) if F is None else F
        if not isinstance(n, (int, float)) and not is_doubles(n):
            n = _array("d", n)
        self._steps(v, n, h, z, F)
        return F, z

    def curve(self, v, n=None):
        """Steady-state forces [N] at the velocities v [m/s] under the load n, default that of the law."""
        v = v if is_doubles(v) else _array("d", v)
        F = doubles(memoryview(v).nbytes // 8)
        self._curve(v, self.load if n is None else n, F)
        return F

    def plot(self, v=None, n=None, ax=None):
        """Draw steady friction over velocity with matplotlib; returns the axes."""
        import matplotlib.pyplot
        import numpy

        if v is None:
            v = [0.5 * (k - 100) / 100 for k in range(201)]
        ax = ax or matplotlib.pyplot.gca()
        ax.plot(numpy.asarray(v), numpy.asarray(self.curve(v, n)), label=self.name)
        ax.set_xlabel("velocity [m/s]")
        ax.set_ylabel("friction [N]")
        ax.legend()
        return ax

    def __str__(self):
        rows = [f"{self.name}: {self.title}", "", self.equations.rstrip(), "", "Parameters"]
        for p in self.parameters:
            unit = "" if p["unit"] == "1" else f" {p['unit']}"
            rows.append(f"  {p['name']:<12} {p['value']:g}{unit}: {p['text']} ({p['min']:g} ... {p['max']:g})")
        if self.states:
            rows += ["", "States"]
            rows += [f"  {s['name']:<12} [{s['unit']}] {s['text']}" for s in self.states]
        return "\n".join(rows + ["", "Limits: " + self.limits, "Source: " + self.cite])

    def __repr__(self):
        given = ", ".join(f"{p['name']}={p['value']:g}" for p in self.parameters)
        return f"<bristle.Law {self.name}: {given}>"


class _Named:
    """The laws by their names, each with its equations and parameters as documentation:
    law.lugre(mu_c=0.4) is Law("lugre", mu_c=0.4), and help(law.lugre) tells of it."""

    def __dir__(self):
        return laws()

    def __getattr__(self, name):
        try:
            example = Law(name)
        except KeyError as wrong:
            raise AttributeError(wrong.args[0]) from None

        def make(**parameters):
            return Law(name, **parameters)

        keyword = _inspect.Parameter.KEYWORD_ONLY
        make.__name__ = make.__qualname__ = name
        make.__doc__ = str(example)
        make.__signature__ = _inspect.Signature(
            [_inspect.Parameter(p["name"], keyword, default=p["default"]) for p in example.parameters],
            return_annotation=Law,
        )
        return make


law = _Named()
