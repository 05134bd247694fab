#include <bristle_tools.h>
#include <cstdio>
#include <vector>

int main() {
    const bri_model *law = bri_model_find("lugre");
    bri_setup setup;
    bri_setup_init(&setup, law);
    bri_error error;
    if (bri_setup_finish(&setup, 0.0, &error) != BRI_OK) return 1;
    std::vector<double> v(100, 0.1), z(100, 0.0), F(100), dz(100);
    bri_batch batch{law, v.size(), setup.p, v.data(), &setup.load, 0, 0, BRI_LEVEL_AUTO};
    bri_batch_eval(&batch, z.data(), F.data(), dz.data());
    std::printf("bristle %s: F = %g N\n", bri_version(), bri_steady_force(&setup, 0.1));
    return F[99] > 0.0 && F[99] == F[0] ? 0 : 1;
}
