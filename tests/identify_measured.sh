#!/usr/bin/env bash
# Measured data of public rigs, against what was published for them or found by other programs.
#   identify_measured.sh BRISTLE DATA_DIR
set -euo pipefail
bristle=$(realpath "$1")
data=$2
laws=$(realpath "$(dirname "$0")/../laws/more")
if [ ! -d "$data/emps" ]; then
  echo "identify_measured: left out, the measured data are not here"
  exit 0
fi
data=$(realpath "$data")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
fail() { echo "identify_measured: $*"; exit 1; }
value() { grep -o "\"name\": \"$1\", \"value\": [-0-9.e]*" found.json | head -1 | sed 's/.* //'; }
number() { grep -o "\"$1\": [-0-9.e]*" found.json | sed -n "${2:-1}p" | sed 's/.* //'; }
near() { awk -v a="$(value "$1")" -v b="$2" -v e="$3" 'BEGIN {d = a - b; if (d < 0) d = -d; exit !(d <= e * (b < 0 ? -b : b))}' ||
  fail "$1 is $(value "$1"), not $2"; }
at_most() { awk -v a="$1" -v b="$2" 'BEGIN {exit !(a <= b)}' || fail "$3: $1 > $2"; }

# EMPS: Janot, Gautier & Brunot 2019, symmetric Coulomb and viscous friction.
cat >emps.yaml <<'END'
bodies: {axis: {mass: 90 kg}}
contacts: {pad: {between: [axis, ground], model: coulomb, Fc: 15 N, kv: 100 N s/m}}
drives: {motor: {on: axis, force: 0 N}}
run: {until: 1 s}
END
emps() {
  "$bristle" identify emps.yaml --data "$data/emps/emps.csv" --seed 1 --json \
    --map 'axis.x=qm[m],motor.force=35.1507*vir[V],t=t[s]' "$@" >found.json
}
emps --free pad.Fc,pad.kv,axis.mass,offset --starts 2
near axis.mass 95.11 0.001
near pad.kv 203.5 0.001
near pad.Fc 20.39 0.001
near offset -3.17 0.001
at_most "$(number relative)" 0.0409 "relative error on EMPS"
# friction with a direction, chosen and fitted on the first half, judged on the second
emps --free all,pad.backward,axis.mass,offset --models coulomb,dahl --folds half --starts 2
at_most "$(number held_out)" 0.031 "error on the second half of EMPS"

# a stick band that belongs to another rig must not decide
if [ -n "${BRISTLE_TEST_ALL:-}" ]; then
  emps --free all,pad.backward,axis.mass,offset --models karnopp --folds half --starts 2
  at_most "$(number held_out)" 0.032 "karnopp on the second half of EMPS"
fi

# Rate and state of basalt, against another program: a 0.0088, b 0.0092, D_c 6.8 um, rms 8.3e-4.
cat >rock.yaml <<'END'
bodies: {block: {mass: 1 kg}}
contacts: {pad: {between: [block, ground], model: rate_and_state_aging, load: 1 N}}
run: {until: 1 s}
END
"$bristle" identify rock.yaml --laws "$laws" --data "$data/rock_rsf/velstep4_BRAVA_expb819_basalt.txt" --json \
  --map 't=Time,pad.F=Friction,block.x=Displ[um]' --free pad.mu_0,pad.a,pad.b,pad.D_c --starts 2 --folds 1 >found.json
near pad.a 0.0088 0.15
near pad.b 0.0092 0.2
near pad.D_c 6.8e-6 0.15
at_most "$(number raw)" 8.5e-4 "rms on basalt"

# A stroke of 0.23 mm, first half to second, from a rig whose stiffness is off by decades.
cat >stroke.yaml <<'END'
bodies: {slider: {mass: 1 kg}}
contacts: {pad: {between: [slider, ground], model: lugre, load: 500 uN}}
run: {until: 1 s}
END
"$bristle" identify stroke.yaml --data "$data/frictionmodels_jl/test_data_2.txt" --json --folds half \
  --map 't=Time[s],pad.load=Normal[uN],slider.x=Position[mm],pad.F=-1*Friction[uN]' --free all,offset \
  --from '9 s' --until '208 s' >found.json
at_most "$(number held_out)" 0.06 "lugre on the second half of the 0.23 mm stroke"

# The thigh of a quadruped under PD: friction, weight and delay from positions alone; 1.8 mrad by another program.
cat >joint.yaml <<'END'
bodies: {joint: {inertia: 0.05 kg m^2}, wish: {kind: rotor, position: 0 rad}}
contacts: {pad: {between: [joint, ground], model: coulomb, Fc: 0.3 N m, kv: 0.1 N m s/rad}}
couplings:
  p: {spring: [joint, wish], stiffness: 20 N m/rad}
  d: {damper: [joint, ground], damping: 1.5 N m s/rad}
  weight: {spring: [joint, ground], stiffness: 1 N m/rad}
run: {until: 1 s, rtol: 1e-5}
END
"$bristle" identify joint.yaml --data "$data/go2_pace/go2_traj0.csv" --json --map 't=time_s,joint.x=q1_rad,wish.x=qdes1_rad' \
  --free pad.Fc,pad.kv,joint.inertia,weight.stiffness,offset,delay --folds 1 --starts 1 >found.json
at_most "$(number rms)" 1.8e-3 "rms of the thigh"
grep -q '"name": "delay".*"with": "joint.inertia"' found.json || fail "nothing is said of delay and inertia"

# A pendulum whose torque sensor does not belong to its motion.
cat >arm.yaml <<'END'
bodies: {arm: {inertia: 0.06 kg m^2}}
contacts: {pad: {between: [arm, ground], model: coulomb, Fc: 0.1 N m, kv: 0.1 N m s/rad}}
drives: {motor: {on: arm, torque: 0 N m}}
run: {until: 1 s}
END
code=0
"$bristle" identify arm.yaml --data "$data/dfki_pendulum/sysid_data_measured.csv" \
  --map 't=time,arm.x=position,motor.force=torque' \
  --free pad.Fc,pad.kv,arm.inertia,gravity,offset,delay >out.txt 2>/dev/null || code=$?
test $code = 3 || fail "the pendulum is not refused: exit code $code"
grep -q 'Refused: inertia, weight' out.txt || fail "no reason"
