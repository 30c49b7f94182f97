"""Makes arms.json: what statsmodels says of made page loads. Run it where statsmodels is installed:

python pipeline/tests/stats/reference/make_arms.py
"""

import json
from pathlib import Path

import numpy as np
import statsmodels
import statsmodels.api as sm
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.oneway import anova_oneway
from statsmodels.stats.power import TTestIndPower, TTestPower
from statsmodels.stats.weightstats import CompareMeans, DescrStatsW


def main() -> None:
    random = np.random.default_rng(2019)
    new = np.exp(random.normal(7.0, 0.12, 31)).round(3)
    reference = np.exp(random.normal(7.08, 0.25, 24)).round(3)
    means = CompareMeans(DescrStatsW(np.log(new)), DescrStatsW(np.log(reference)))
    t, p, freedom = means.ttest_ind(usevar="unequal")
    variance = anova_oneway([new, reference], use_var="equal", welch_correction=False)
    p_values = [0.001, 0.4, 0.012, 0.04, 0.04, 0.9, 0.0004]
    value = {
        "made_by": f"statsmodels {statsmodels.__version__}",
        "new_ms": new.tolist(),
        "reference_ms": reference.tolist(),
        "welch_on_logs": {"t": t, "p": p, "freedom": freedom, "ci": means.tconfint_diff(usevar="unequal")},
        "anova": {"f": float(variance.statistic), "p": float(variance.pvalue)},
        "p_values": p_values,
        "holm": multipletests(p_values, method="holm")[1].tolist(),
        "benjamini_hochberg": multipletests(p_values, method="fdr_bh")[1].tolist(),
        "smallest_effects": {
            "two_samples_of_31": TTestIndPower().solve_power(nobs1=31, alpha=0.05, power=0.8),
            "two_samples_of_4": TTestIndPower().solve_power(nobs1=4, alpha=0.01, power=0.8),
            "one_sample_of_12": TTestPower().solve_power(nobs=12, alpha=0.05, power=0.8),
        },
        "clustered": clustered(random),
    }
    Path(__file__).with_name("arms.json").write_text(json.dumps(value, indent=1) + "\n")


def clustered(random: np.random.Generator) -> dict[str, object]:
    """Log time on arm with an effect per site, errors clustered by site: 6 sites, 5 runs an arm."""
    sites, runs = 6, 5
    times = np.exp(7 + random.normal(0, 0.5, (sites, 1, 1)) + random.normal(0, 0.1, (sites, 2, runs)))
    times[:, 0] *= np.exp(random.normal(-0.1, 0.08, (sites, 1)))
    times = times.round(3)
    site = np.repeat(np.arange(sites), 2 * runs)
    arm = np.tile(np.repeat([1.0, 0.0], runs), sites)
    design = np.column_stack([arm, *(site == s for s in range(sites))]).astype(float)
    model = sm.OLS(np.log(times).ravel(), design)
    fit = model.fit(cov_type="cluster", cov_kwds={"groups": site, "use_correction": False})
    return {"times_ms": times.tolist(), "log_gain": float(fit.params[0]), "error_uncorrected": float(fit.bse[0])}


if __name__ == "__main__":
    main()
