"""LuGre parameters from a synthetic recording: SciPy's least_squares on solve_ivp beside bristle identify.

    python3 identify_scipy.py BRISTLE      needs numpy and scipy

Both get the same file and the same start. Prints processor seconds, residual and parameters of each.
"""
import json, os, subprocess, sys, tempfile, time
import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import least_squares

RATE, ROWS = 500.0, 1000
TRUTH = np.array([1.0, 1.5, 1e-3, 2e4, 60.0, 10.0])  # Fc Fs v_s sigma0 sigma1 sigma2
START = np.array([1.2, 1.4, 2e-3, 3e4, 50.0, 5.0])


def velocity(t):
    return (1 - np.exp(-10 * t)) * (2.5e-3 * np.sin(np.pi * t) + 1.5e-3 * np.sin(2.6 * np.pi * t + 1)
                                    + 6e-4 * np.sin(6.2 * np.pi * t + 2))


t = np.arange(ROWS) / RATE
v = velocity(t)


def force(p, speed=lambda s: np.interp(s, t, v)):
    Fc, Fs, vs, s0, s1, s2 = p
    rate = lambda u, z: u - s0 * np.abs(u) * z / (Fc + (Fs - Fc) * np.exp(-np.abs(u) / vs))
    z = solve_ivp(lambda s, z: rate(speed(s), z), (0, t[-1]), [0.0], "LSODA", t_eval=t, rtol=1e-7, atol=1e-12).y[0]
    return s0 * z + s1 * rate(v, z) + s2 * v


F = force(TRUTH, velocity) + 0.05 * np.random.default_rng(1).standard_normal(ROWS)
began = time.process_time()
found = least_squares(lambda q: force(q * START) - F, np.ones(6), bounds=(0.05, 20))
scipy_seconds = time.process_time() - began
rms = np.sqrt(np.mean(found.fun**2))
print("scipy   %.3f s, rms %.6f, %d evaluations:" % (scipy_seconds, rms, found.nfev), found.x * START)

with tempfile.TemporaryDirectory() as d:
    np.savetxt(os.path.join(d, "a.csv"), np.c_[t, v, F], "%.12g", ",", header="t,v,F", comments="")
    with open(os.path.join(d, "a.yaml"), "w") as out:
        out.write("bodies: {b: {mass: 1 kg}}\ncontacts: {pad: {between: [b, ground], model: lugre, Fc: 1.2 N, Fs: 1.4 N,\n"
                  "  v_s: 2 mm/s, sigma0: 3e4 N/m, sigma1: 50 N s/m, sigma2: 5 N s/m}}\nrun: {until: 1 s}\n")
    text = subprocess.run([sys.argv[1], "identify", "a.yaml", "--data", "a.csv", "--map", "t=t,pad.v=v,pad.F=F", "--filter", "0",
                           "--starts", "1", "--folds", "1", "--json"], cwd=d, capture_output=True, text=True, check=True).stdout
fit = json.loads(text)["fits"][0]
print("bristle %.3f s, rms %.6f:" % (fit["seconds"], fit["rms"]), [e["value"] for e in fit["estimates"]])
print("ratio %.0f" % (scipy_seconds / fit["seconds"]))
