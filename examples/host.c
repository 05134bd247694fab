/* host.c - a program that makes time itself: it integrates the rates of a rig by a method of its
 * own and finds the events, with the contact sticking exactly; the library gets to the same place.
 *
 *     cc host.c $(pkg-config --cflags --libs bristle) -lm -o host
 */
#include <bristle_sim.h>
#include <math.h>
#include <stdio.h>

/* One step of Heun's method, the contact moving as it does; nonzero if an event is due at its end.
 */
static int step(bri_sim *sim, double t, double h, const double *y, double *to) {
    double k[2][2], g[8];
    int due = 0;
    bri_sim_rhs(sim, t, y, k[0], NULL);
    for (int i = 0; i < 2; i++) to[i] = y[i] + h * k[0][i];
    bri_sim_rhs(sim, t + h, to, k[1], NULL);
    for (int i = 0; i < 2; i++) to[i] = y[i] + 0.5 * h * (k[0][i] + k[1][i]);
    bri_sim_indicate(sim, t + h, to, g, NULL);
    for (int i = 0; i < bri_sim_indicators(sim); i++) due |= g[i] <= 0.0;
    return due;
}

int main(void) {
    bri_signal speed = bri_signal_constant(0.1);
    bri_body bodies[] = {{.name = "block", .mass = 1.0}, {.name = "belt", .velocity = &speed}};
    bri_coupling spring = bri_coupling_defaults(bri_coupling_find("spring"), BRI_GROUND, 0);
    bri_contact pad = {.model = bri_model_find("stribeck"), .a = 0, .b = 1, .n = 9.81};
    bri_sim_def def = bri_sim_defaults();
    bri_sim *sim;
    double t = 0.0, y[2], next[2];
    int events = 0;
    spring.p[0] = 40.0; /* stiffness, N/m */
    bri_model_defaults(pad.model, pad.p);
    def.system = (bri_system){bodies, &spring, &pad, NULL, 2, 1, 1, 0, 9.81, NULL, 0};
    def.t_end = 10.0;
    if (bri_sim_create(&def, &sim, NULL) != BRI_OK) return 1;
    bri_sim_state_get(sim, y);
    while (t < def.t_end) {
        double low = 0.0, h = fmin(1e-4, fmin(def.t_end, bri_sim_next_kink(sim)) - t);
        int due = step(sim, t, h, y, next);
        for (int i = 0; due && i < 50; i++) { /* halve until the time of the event is known */
            double middle = 0.5 * (low + h);
            *(step(sim, t, middle, y, next) ? &h : &low) = middle;
        }
        if (due) step(sim, t, h, y, next);
        t += h;
        if (due) bri_sim_meet(sim, t, next, NULL); /* it sticks or lets go */
        events += due;
        for (int i = 0; i < 2; i++) y[i] = next[i];
    }
    bri_sim_reset(sim, NULL);
    bri_sim_advance(sim, def.t_end, NULL);
    printf("%d events, x = %.6f m; by the library %.6f m\n", events, y[0], bri_sim_body(sim, 0).x);
    double off = y[0] - bri_sim_body(sim, 0).x;
    bri_sim_free(sim);
    return !(fabs(off) < 1e-5 && events > 2);
}
