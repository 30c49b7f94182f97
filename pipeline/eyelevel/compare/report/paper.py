"""Figures printed in the paper and slides of 2019, for comparison: 38 other sites, other servers and versions."""

SITES = 38
# mean gain of the Speed Index over all sites: network, new, reference
SI_GAIN = {
    ("DSL", "TCP+", "TCP"): -0.05,
    ("DSL", "QUIC", "TCP+"): -0.09,
    ("LTE", "TCP+", "TCP"): -0.08,
    ("LTE", "TCP+BBR", "TCP"): -0.09,
    ("LTE", "QUIC", "TCP+"): -0.14,
    ("MSS", "QUIC", "TCP+"): -0.36,
    ("MSS", "QUIC+BBR", "TCP+BBR"): -0.18,
    ("MSS", "TCP+BBR", "TCP+"): -0.26,
    ("DA2GC", "QUIC", "TCP+"): -0.14,
    ("DA2GC", "QUIC+BBR", "TCP+BBR"): -0.10,
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
