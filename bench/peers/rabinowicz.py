#!/usr/bin/python3
"""SciPy on the Rabinowicz rig with LuGre: python3 rabinowicz.py REFERENCE.csv > scipy.csv

The reference holds t, x, v, z at the checkpoints (bench_run --reference). Jacobian supplied, state
(x, sliding velocity, z) as in rabinowicz.c. Processor time, minimum of some runs."""
import csv
import math
import sys
import time

import numpy as np
from scipy.integrate import solve_ivp

MASS, K, SLAB = 20.0, 10.0, 0.5
FC, RISE, S0, S1, VS = 98.1, 19.62, 98100.0, 780.0, 0.05


def rhs(t, y):
    x, v, z = y
    a = abs(v)
    dz = v - a * (S0 * z / (FC + RISE * math.exp(-a / VS)))
    return (v + SLAB, -(K * x + S0 * z + S1 * dz) / MASS, dz)


def jac(t, y):
    x, v, z = y
    a, s = abs(v), -1.0 if v < 0.0 else 1.0
    e = RISE * math.exp(-a / VS)
    g = FC + e
    r = S0 * z / g
    dzv = 1.0 - s * r * (1.0 + a * e / (VS * g))
    dzz = -a * S0 / g
    return [[0.0, 1.0, 0.0], [-K / MASS, -S1 * dzv / MASS, -(S0 + S1 * dzz) / MASS], [0.0, dzv, dzz]]


def main():
    with open(sys.argv[1]) as file:
        table = np.array([[float(x) for x in row] for row in csv.reader(file)])
    times, reference = table[:, 0], table[:, 1:]
    scale = np.array([10.0, 1.0, 1.2e-3])
    for method, rtols, repeats in (
        ("LSODA", (1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9), 5),
        ("BDF", (1e-4, 1e-6, 1e-8), 2),
        ("Radau", (1e-4, 1e-6), 2),
    ):
        for rtol in rtols:
            best = math.inf
            for _ in range(repeats):
                begin = time.process_time()
                s = solve_ivp(rhs, (0.0, 50.0), [0.0, 0.0, 0.0], method=method, t_eval=times,
                              rtol=rtol, atol=rtol * np.array([1.0, 0.1, 1e-4]), jac=jac)
                best = min(best, time.process_time() - begin)
            if not s.success:
                continue
            out = s.y.T + np.array([0.0, SLAB, 0.0])
            error = np.max(np.abs(out - reference) / scale)
            # solve_ivp keeps no count of the steps when t_eval is given
            print(f"rabinowicz,lugre,scipy_{method.lower()},{rtol:g},{error:.3e},0,{s.nfev},{best * 1e6:.1f}",
                  flush=True)


main()
