"""An agent creates a video in Videoland, and a person agrees over a channel of his own (Action Runtime, section 17).

    uiap serve --listen 127.0.0.1:4871 --token-file agent.token --person-token-file me.token http://127.0.0.1:4870/login
    python two_channels.py 127.0.0.1:4871 AGENT_TOKEN PERSON_TOKEN
"""
import sys
from uiap_client import Client, WebSocket

EXAMPLE = {
    "actionId": "ui.activate",
    "target": {"ref": {"by": "stableId", "value": "video.submit"}, "expectedRole": "button"},
    "verification": {"policy": "all", "timeoutMs": 40000, "requireRevisionAdvance": True,
                     "signals": [{"kind": "route.changed", "pattern": "/videos/:id"},
                                 {"kind": "toast.contains", "text": "Welcome"}]},
    "timeoutMs": 60000,
}


def by(stable_id):
    return {"ref": {"by": "stableId", "value": stable_id}}


def prepare(person):
    """The person signs in and opens the form; whatever is risky about that, he agrees to."""
    signals = [{"kind": "route.changed", "pattern": "/**"}]
    # The address is there before what it shows.
    shown = [{"kind": "element.appeared", "target": {"by": "stableId", "value": "video.title"}}]
    steps = [("ui.enterText", {"target": by("login.user"), "args": {"text": "editor"}}),
             ("ui.enterText", {"target": by("login.password"), "args": {"text": "videoland"}}),
             ("ui.activate", {"target": by("login.submit"), "verification": {"policy": "all", "signals": signals}}),
             ("nav.navigate", {"args": {"url": "/videos/new"}, "verification": {"policy": "all", "signals": shown}}),
             ("ui.enterText", {"target": by("video.title"), "args": {"text": "Welcome"}})]
    for action, request in steps:
        result = person.act(action, agrees=lambda shown: True, **request)
        assert result["status"] == "succeeded", result


def grant(client, handle, ext=None):
    """Agrees, or says why that is not taken."""
    try:
        client.request("action.confirmation.grant", {"actionHandle": handle}, ext=ext)
    except RuntimeError as error:
        return str(error).split(":")[0]
    return "accepted"


def main(address, agent_token, person_token):
    agent, person = Client(WebSocket(address, agent_token), "agent"), Client(WebSocket(address, person_token), "person")
    agent.begin()
    person.begin()
    prepare(person)
    handle = agent.request("action.request", EXAMPLE)["actionHandle"]
    told = agent.event("action.confirmation.request")
    assert "ext" not in told, "an agent gets nothing to agree with"
    print("the agent is asked to wait:", told["payload"]["actionId"])
    asked = person.event("action.confirmation.request")
    while asked["payload"]["actionHandle"] != handle:
        asked = person.event("action.confirmation.request")
    print("the agent agrees with itself:", grant(agent, handle))
    print("the agent agrees with the token of the person:", grant(agent, handle, asked["ext"]))
    assert grant(person, handle, asked["ext"]) == "accepted"
    print("the person agrees:", asked["payload"]["actionId"])
    result = agent.event("action.result")["payload"]
    print(f"the agent is told: {result['status']}, {result['sideEffectState']}")
    print("the person agrees again:", grant(person, handle, asked["ext"]))
    for client in (agent, person):
        client.request("session.terminate")
        client.transport.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
