"""Friction laws and rigs that stick and slip.

    >>> import bristle
    >>> law = bristle.Law("lugre", sigma0="1e5 N/m")
    >>> law.step(1e-3, 196.2, 1e-3)                # v, n, h: a contact that keeps its states
    >>> run = bristle.run("rabinowicz", set={"pad.v_s": "2 cm/s"})
    >>> run["block.x"]                             # a memoryview of doubles: numpy.asarray takes it
    >>> sim = bristle.Sim("rabinowicz")            # the same, within a loop of your own
    >>> bristle.compare("rabinowicz", ["lugre", "dahl"]).to_pandas()
    >>> help(bristle.law.lugre)                    # equations, parameters, limits of a law

Numbers are SI; parameters and values of `set` may be texts with a unit. What is wrong is told in one
sentence: ValueError for values and files, KeyError for names, RuntimeError for a run that fails.
"""

from . import _core
from ._laws import Law, law, laws
from ._rigs import Rig, Sim, compare, identify, merge, run, scenarios, sweep
from ._results import Comparison, Identification, Run, Sweep

__version__ = _core.version
__all__ = [
    "Comparison",
    "Identification",
    "Law",
    "Rig",
    "Run",
    "Sim",
    "Sweep",
    "compare",
    "identify",
    "law",
    "laws",
    "merge",
    "run",
    "scenarios",
    "sweep",
]
