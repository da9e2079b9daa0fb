"""A house full of devices: the channels and commands that pictures of the page show."""
import math

ROOMS = {"bathroom": 22.9, "bedroom": 18.4, "hall": 19.2, "kitchen": 21.3, "living room": 21.8}


def furnish(stage):
    """Sets the channels, with some changes for the charts."""
    values = {}
    for place, (room, degrees) in enumerate(ROOMS.items()):
        values |= {f"home/{room}/temperature": degrees, f"home/{room}/humidity": 41 + 3 * place,
                   f"home/{room}/light": {"on": place % 2 == 0, "brightness": 20 * place}}
    values |= {"home/front door": "locked", "home/hall/motion": False, "garden/gate": "shut", "garden/soil/moisture": 0.31,
               "garden/sprinkler": {"until": None, "zone": 2}, "energy/grid/watts": 412, "energy/solar/watts": 1280,
               "energy/price": {"per": "kWh", "amount": 0.284}, "shop/ticker": "EUR/USD 1.0842", "lab/run 7/status": "calibrating"}
    stage.put(values)
    stage.ask("POST", "/v1/channels", '{"channel":"home/heater","mode":"paired","value":{"on":true,"target":21.5}}')
    stage.ask("PUT", "/v1/channels/home/heater", '{"on":true,"target":22}')
    stage.ask("POST", "/v1/channels/lab/run%207/status/fail", '{"code":"no-signal","message":"the probe does not answer"}')
    stage.set("lab/run 6/status", "done")
    stage.ask("POST", "/v1/channels/lab/run%206/status/complete")


def solar(step):
    """The power of the roof at a step in the life of the house."""
    return round(1280 + 90 * math.sin(step / 4) + 35 * math.sin(step * 1.7))


def step(step):
    """The other values at that step."""
    return {"energy/grid/watts": round(412 - 60 * math.sin(step / 4)),
            "home/kitchen/temperature": round(21.3 + 0.4 * math.sin(step / 6), 1)}
