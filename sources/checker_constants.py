"""Accuracy targets, upper limits, seeds and latency limits of the v6.1 submission checker, as figures.

Written for this bundle from the figures alone, in the layout that the checker itself uses, so that the
same reader reads both files. It is read as a syntax tree and never run or imported.
Where the figures come from: the acquisition record beside this file, entry
tools/submission/submission_checker/constants.py. Latencies are in nanoseconds.
"""

MODEL_CONFIG = {
    "v6.1": {
        "accuracy-target": {
            "deepseek-r1": ("exact_match", 81.3582 * 0.99, "TOKENS_PER_SAMPLE", 3886.2274 * 0.9),
            "gpt-oss-120b": ("exact_match", 83.13 * 0.99),
            "llama2-70b-99.9": (
                "ROUGE1", 44.4312 * 0.999,
                "ROUGE2", 22.0352 * 0.999,
                "ROUGEL", 28.6162 * 0.999,
                "TOKENS_PER_SAMPLE", 294.45 * 0.9,
            ),
            "llama3.1-8b": (
                "ROUGE1", 38.7792 * 0.99,
                "ROUGE2", 15.9075 * 0.99,
                "ROUGEL", 24.4957 * 0.99,
                "ROUGELSUM", 35.793 * 0.99,
                "GEN_LEN", 8167644 * 0.9,
            ),
        },
        "accuracy-upper-limit": {
            "deepseek-r1": ("TOKENS_PER_SAMPLE", 3886.2274 * 1.1),
            "gpt-oss-120b": ("TOKENS_PER_SAMPLE", 9999 * 1.1),
            "llama2-70b-99.9": ("TOKENS_PER_SAMPLE", 294.45 * 1.1),
            "llama3.1-8b": ("GEN_LEN", 8167644 * 1.1),
        },
        "model_mapping": {"llama3_1-8b": "llama3.1-8b"},
        "seeds": {
            "qsl_rng_seed": 2085463073848966840,
            "sample_index_rng_seed": 2747215439041700203,
            "schedule_rng_seed": 16159082839903944936,
        },
        "test_duration_ms": 600000,
    },
}

LLM_LATENCY_LIMITS = {
    "deepseek-r1": {
        "Server": {"ttft": 2000 * 1000000, "tpot": 80 * 1000000},
        "Interactive": {"ttft": 1500 * 1000000, "tpot": 15 * 1000000},
    },
    "gpt-oss-120b": {
        "Server": {"ttft": 3000 * 1000000, "tpot": 80 * 1000000},
        "Interactive": {"ttft": 2000 * 1000000, "tpot": 15 * 1000000},
    },
    "llama2-70b-99.9": {
        "Server": {"ttft": 2000 * 1000000, "tpot": 200 * 1000000},
        "Interactive": {"ttft": 450 * 1000000, "tpot": 40 * 1000000},
    },
    "llama3.1-8b": {
        "Server": {"ttft": 2000 * 1000000, "tpot": 100 * 1000000},
        "Interactive": {"ttft": 500 * 1000000, "tpot": 30 * 1000000},
    },
}
