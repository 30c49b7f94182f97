"""Figures printed in the paper and slides of Wolsing et al. (2019): 38 other sites, other servers and versions."""

SITES = 38
# mean gain over all sites: network, new, reference, metric
GAIN = {
    ("DSL", "TCP+", "TCP", "si"): -0.05,
    ("DSL", "QUIC", "TCP+", "si"): -0.09,
    ("LTE", "TCP+", "TCP", "si"): -0.08,
    ("LTE", "TCP+BBR", "TCP", "si"): -0.09,
    ("LTE", "QUIC", "TCP+", "si"): -0.14,
    ("MSS", "QUIC", "TCP+", "si"): -0.36,
    ("MSS", "QUIC+BBR", "TCP+BBR", "si"): -0.18,
    ("MSS", "TCP+BBR", "TCP+", "si"): -0.26,
    ("DA2GC", "QUIC", "TCP+", "si"): -0.14,
    ("DA2GC", "QUIC+BBR", "TCP+BBR", "si"): -0.10,
    ("DA2GC", "QUIC", "TCP+", "fvc"): -0.14,
    ("DA2GC", "QUIC", "TCP+", "plt"): -0.16,
    # printed without a sign; its difference is below 0
    ("MSS", "TCP+BBR", "TCP+", "plt"): -0.21,
    # printed without a reference; the paper compares stacks of one congestion control
    ("DSL", "TCP+BBR", "TCP", "si"): -0.05,
    ("DSL", "QUIC+BBR", "TCP+BBR", "si"): -0.09,
    ("LTE", "QUIC+BBR", "TCP+BBR", "si"): -0.13,
}
# gains whose reference the paper does not print
REFERENCE_INFERRED = {
    ("DSL", "TCP+BBR", "TCP", "si"),
    ("DSL", "QUIC+BBR", "TCP+BBR", "si"),
    ("LTE", "QUIC+BBR", "TCP+BBR", "si"),
}
# mean over all sites of the difference of means, new - reference, in ms: network, new, reference, metric
DIFFERENCE_MS = {
    ("DSL", "QUIC", "TCP", "si"): -131.3,
    ("DSL", "QUIC", "TCP+", "si"): -87.1,
    ("LTE", "QUIC", "TCP", "si"): -344.9,
    ("LTE", "QUIC", "TCP+", "si"): -215.9,
    ("MSS", "QUIC", "TCP+", "si"): -8364.8,
    ("MSS", "QUIC+BBR", "TCP+BBR", "si"): -2091.5,
    ("MSS", "QUIC+BBR", "QUIC", "si"): -1828.3,
    ("DA2GC", "QUIC", "TCP+", "si"): -2632.5,
    ("DA2GC", "QUIC+BBR", "TCP+BBR", "si"): -1372.5,
    ("MSS", "TCP+BBR", "TCP+", "fvc"): -2866.2,
    ("MSS", "TCP+BBR", "TCP+", "plt"): -11395.4,
}
# the sites of table 3, each with a single server
ONE_TRIP_SITES = ("gnu.org", "wikipedia.org")
# table 3: mean(new) - (mean(reference) - RTT) in ms, of these sites: network, new, reference, metric
ONE_TRIP_MS = {
    ("DSL", "QUIC", "TCP+", "fvc"): (0.5, -8.2),
    ("DSL", "QUIC", "TCP+", "plt"): (1.6, -3.1),
    ("LTE", "QUIC", "TCP+", "fvc"): (0.6, -40),
    ("LTE", "QUIC", "TCP+", "plt"): (-30, -13),
    ("DA2GC", "QUIC", "TCP+", "fvc"): (-130, -1384),
    ("DA2GC", "QUIC", "TCP+", "plt"): (39, -1005),
    ("MSS", "QUIC", "TCP+", "fvc"): (-196, -412),
    ("MSS", "QUIC", "TCP+", "plt"): (-1100, -529),
    ("MSS", "QUIC+BBR", "TCP+BBR", "fvc"): (-404, -143),
    ("MSS", "QUIC+BBR", "TCP+BBR", "plt"): (-477, 451),
}
# sites on DSL on which new, reference or nobody was significantly faster; FVC, SI, VC85, LVC, PLT
ANOVA_DSL = {
    ("TCP+", "TCP"): ((28, 26, 24, 22, 25), (0, 0, 0, 0, 1), (10, 12, 14, 16, 12)),
    ("QUIC", "TCP"): ((36, 37, 35, 36, 35), (1, 1, 1, 0, 0), (1, 0, 2, 2, 3)),
    ("QUIC", "TCP+"): ((30, 32, 28, 29, 30), (2, 0, 1, 0, 0), (6, 6, 9, 9, 8)),
    ("TCP+BBR", "TCP+"): ((4, 7, 9, 6, 7), (5, 2, 2, 2, 2), (29, 29, 27, 30, 29)),
    ("QUIC", "TCP+BBR"): ((30, 34, 28, 29, 27), (0, 1, 3, 1, 4), (8, 3, 7, 8, 7)),
    ("QUIC+BBR", "TCP+BBR"): ((31, 35, 27, 28, 31), (0, 1, 3, 1, 1), (7, 2, 8, 9, 6)),
    ("QUIC+BBR", "QUIC"): ((3, 3, 2, 2, 7), (6, 6, 7, 5, 3), (29, 29, 29, 31, 28)),
}
