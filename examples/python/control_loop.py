"""control_loop.py - a sampled controller around a simulation: a mass with friction is brought to 0.1 m by
a PID that looks at it every millisecond and holds its force until the next look. Where it hunts is seen at
the events.

    python3 control_loop.py [picture.png]
"""

import sys

import bristle

rig = bristle.Rig("A positioned mass", until="2 s", rtol=1e-9)
rig.body("mass", mass="1 kg")
rig.drive("push", "mass", force=0.0)
rig.contact("pad", "mass", "ground", bristle.law.lugre(sigma0=1e5, sigma1=300), load="10 N")

sim = bristle.Sim(rig)
times, places, sum_of_errors = [], [], 0.0
for k in range(2000):
    now = sim.read()
    error = 0.1 - now["mass.x"]
    sum_of_errors += 1e-3 * error
    sim["push.force"] = min(200 * error + 100 * sum_of_errors - 10 * now["mass.v"], 20.0)
    sim.advance(1e-3 * (k + 1))  # the force is held until then, and never used beyond
    times.append(sim.t)
    places.append(now["mass.x"])

for t, contact, before, after, force in sim.events():
    print(f"t = {t:.6f} s: {contact} from {before} to {after} at {force:.3f} N")
print(f"x = {sim.read('mass.x'):.9f} m")

# What if the integral were left out from here on? A copy tries it; the simulation itself stays.
trial = sim.copy()
trial.extend(3.0)
trial["push.force"] = 0.0
trial.advance(3.0)
print(f"x = {trial.read('mass.x'):.9f} m a second after the motor is switched off")

if len(sys.argv) > 1:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plot

    plot.plot(times, places)
    plot.xlabel("t [s]")
    plot.ylabel("x [m]")
    plot.savefig(sys.argv[1])
