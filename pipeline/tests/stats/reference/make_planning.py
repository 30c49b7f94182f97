"""Makes planning.json: what statsmodels says of plans. Run it where statsmodels is installed:

python pipeline/tests/stats/reference/make_planning.py
"""

import json
from pathlib import Path

import statsmodels
from statsmodels.stats.power import NormalIndPower, TTestIndPower
from statsmodels.stats.proportion import proportion_effectsize

# people on each side, level, power
PLANS = [(2, 0.05, 0.8), (12, 0.05, 0.8), (100, 0.01, 0.9), (31, 0.1, 0.5)]


def main() -> None:
    value = {
        "made_by": f"statsmodels {statsmodels.__version__}",
        # in standard deviations
        "two_samples": [
            [n, alpha, power, TTestIndPower().solve_power(nobs1=n, alpha=alpha, power=power)]
            for n, alpha, power in PLANS
        ],
        # the other way round: what power a share has against one half; one sample where ratio is 0
        "shares": [
            [n, share, alpha, NormalIndPower(ddof=0).power(proportion_effectsize(share, 0.5), n, alpha, ratio=0)]
            for n, share, alpha in [(20, 0.8, 0.05), (100, 0.64, 0.05), (400, 0.6, 0.01)]
        ],
    }
    Path(__file__).with_name("planning.json").write_text(json.dumps(value, indent=1) + "\n")


if __name__ == "__main__":
    main()
