"""compare_laws.py - which friction law suits a rig? A block on a belt, held by a spring, with several
laws: their curves, how far each is from exact Coulomb friction with stiction, and what is advised.

    python3 compare_laws.py [picture.png]
"""

import sys

import bristle

rig = bristle.Rig("A block on a belt", until="30 s", output="0.02 s", rtol=1e-8)
rig.body("block", mass="20 kg", v="0.5 m/s")
rig.body("belt", velocity="0.5 m/s")
rig.coupling("pull", "spring", "ground", "block", stiffness="10 N/m")
pad = bristle.Law("lugre", mu_c=0.5, mu_s=0.6, v_s="5 cm/s", sigma0="98.1 kN/m", sigma1=780)
rig.contact("pad", "block", "belt", pad, load="196.2 N")

found = bristle.compare(rig, ["lugre", "dahl", "elasto_plastic", "coulomb_tanh"], reference="coulomb")
for row in found.rows:
    print(f"{row['law']:<16} RMSE {1e3 * row['rmse']:8.3f} mm   largest friction {row['break_away']:.3f} N   {row['steps']} steps")
print(*found.advice, sep="\n")

if len(sys.argv) > 1:
    import matplotlib

    matplotlib.use("Agg")
    found.plot().figure.savefig(sys.argv[1])
