#!/usr/bin/env python3
"""The schedule of bristle-mpi on many ranks, simulated with run times that were measured.

usage: schedule.py TIMES.csv [POINTS [SCALE [RESULT_US [MESSAGE_US]]]]

TIMES.csv is written by bench_sweep. The points of a sweep draw their run times from it, in its order,
again and again, SCALE times as long; rank 0 needs RESULT_US microseconds for each result and MESSAGE_US
for each message, one after the other. Handing out follows cli/mpi.c. Printed: ranks, time until the
end, efficiency (work over ranks times that), share of the time in which rank 0 is busy.
"""
import csv
import heapq
import sys

SHARE, MOST, PATIENCE = 4, 64, 0.1  # as in cli/mpi.c


def parcels(times, start):
    """When results are sent, as (time, how many), and the time of the end."""
    now, since, waiting, sent = start, start, 0, []
    for took in times:
        now += took
        since = now if waiting == 0 else since
        waiting += 1
        if now - since > PATIENCE:
            sent.append((now, waiting))
            waiting = 0
    if waiting:
        sent.append((now, waiting))
    return sent, now


def simulate(times, helpers, result, message):
    """Time until the last result is taken in, and for how long rank 0 was busy."""
    left, first, free, busy, end = len(times), 0, 0.0, 0.0, 0.0
    events = [(0.0, h, 0) for h in range(helpers)]  # arrival, helper, results; 0: it asks
    heapq.heapify(events)
    while events:
        at, helper, results = heapq.heappop(events)
        cost = message + results * result
        free = max(free, at) + cost
        busy += cost
        if results:
            end = free
        elif left:
            count = min(left, MOST, 1 + left // (SHARE * helpers))
            sent, done = parcels(times[first : first + count], free)
            for when, many in sent:
                heapq.heappush(events, (when, helper, many))
            heapq.heappush(events, (done + 1e-9, helper, 0))
            first += count
            left -= count
    return end, busy


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__.split("\n\n")[1])
    with open(sys.argv[1], newline="") as file:
        measured = [float(row["seconds"]) for row in csv.DictReader(file)]
    points = int(float(sys.argv[2])) if len(sys.argv) > 2 else 100000
    scale = float(sys.argv[3]) if len(sys.argv) > 3 else 1.0
    result = 1e-6 * (float(sys.argv[4]) if len(sys.argv) > 4 else 7.0)
    message = 1e-6 * (float(sys.argv[5]) if len(sys.argv) > 5 else 10.0)
    times = [scale * measured[i % len(measured)] for i in range(points)]
    work = sum(times)
    print(f"{points} points, {1e3 * work / points:.3g} ms each")
    print("ranks,seconds,efficiency,rank 0 busy")
    for ranks in (2, 10, 100, 300, 1000, 3000, 10000):
        end, busy = simulate(times, ranks - 1, result, message)
        print(f"{ranks},{end:.4g},{work / end / ranks:.3f},{busy / end:.3f}")


if __name__ == "__main__":
    main()
