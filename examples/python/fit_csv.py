"""fit_csv.py - friction parameters of an axis from a recording: position and force over time, CSV.

    python3 fit_csv.py [recording.csv]      columns t [s], x [mm], F [N]; without: one is made, with noise
"""

import csv
import math
import os
import random
import sys
import tempfile

import bristle

axis = """
title: An axis that is driven to and fro
bodies:
  axis: {mass: 20 kg}
contacts:
  guide: {between: [axis, ground], model: stribeck, Fc: 20 N, Fs: 20 N, v_s: 0.1 m/s, kv: 100 N s/m}
drives:
  motor: {on: axis, force: {sum: [{sine: {amplitude: 90 N, frequency: 0.7 Hz}}, {sine: {amplitude: 40 N, frequency: 2.3 Hz}}]}}
run: {until: 20 s, output: 2 ms}
"""


def record(file, **truth):
    """What an encoder of 1 um and a force sensor with noise would see."""
    noise = random.Random(1)
    run = bristle.run(axis, set={f"guide.{name}": value for name, value in truth.items()})
    with open(file, "w", newline="") as out:
        rows = csv.writer(out)
        rows.writerow(["t", "x", "F"])
        for t, x in zip(run["t"], run["axis.x"]):
            force = 90 * math.sin(2 * math.pi * 0.7 * t) + 40 * math.sin(2 * math.pi * 2.3 * t)
            rows.writerow([t, round(1e6 * x) / 1e3, force + noise.gauss(0.0, 0.5)])


with tempfile.TemporaryDirectory() as folder:
    data = sys.argv[1] if len(sys.argv) > 1 else os.path.join(folder, "axis.csv")
    if len(sys.argv) < 2:
        record(data, Fc="31 N", Fs="45 N", kv="170 N s/m")
    found = bristle.identify(axis, data, "t=t,axis.x=x[mm],motor.force=F", free="guide.Fc,guide.Fs,guide.kv,axis.mass")

for fit in found.fits:
    for e in fit["estimates"]:
        print(f"{e['name']:<10} {e['value']:8.3f} {e['unit']:<6} 95 %: {e['low']:.3f} ... {e['high']:.3f}, {e['known']}")
print(*found.advice, sep="\n")
