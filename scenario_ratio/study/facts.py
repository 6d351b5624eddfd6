"""A pair, and a row without a partner, as results.json holds them."""

from __future__ import annotations

from scenario_ratio.study import pairing
from scenario_ratio.upstream import summary


def pair_facts(pair: pairing.Pair, logs: dict[str, dict]) -> dict:
    """Return a pair as results.json holds it. The accelerator is null where the submission names none."""
    offline, server = pair
    return {
        "offline_id": offline.id,
        "server_id": server.id,
        **shared_facts(offline),
        "offline_tokens_per_s": pairing.rate(offline),
        "server_tokens_per_s": pairing.rate(server),
        "ratio": pair.ratio,
        "offline_log": logs[offline.id]["status"],
        "server_log": logs[server.id]["status"],
    }


def shared_facts(row: summary.Row) -> dict:
    """Return who submitted a row, for which model, on what."""
    return {
        "submitter": row.text["Organization"],
        "system": row.text["SystemName"],
        "platform": row.text["Platform"],
        "model": row.text["Model"],
        "accelerator": row.value["accelerator_model_name"],
        "accelerators": row.value["total_accelerators"],
        "nodes": row.value["number_of_nodes"],
        "precision": row.text["weight_data_types"],
    }


def row_facts(row: summary.Row) -> dict:
    """Return an unmatched row as results.json holds it."""
    return {"id": row.id, **shared_facts(row), "scenario": row.text["Scenario"], "tokens_per_s": pairing.rate(row)}
