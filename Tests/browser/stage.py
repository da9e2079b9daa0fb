"""A real racd, real browsers and the strangers between them, for the scenes beside this file."""
import contextlib, http.client, http.server, json, os, pathlib, shutil, signal, socket, subprocess, sys, tempfile, threading, time, urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/faults"))
# Debian's Selenium is a package of Debian's own Python only, and runs under others.
sys.path.append("/usr/lib/python3/dist-packages")

from harness import PATIENCE, Fault, Racd, frame  # noqa: E402


def missing():
    """The names of the packages without which there is no browser to test in."""
    try:
        import selenium  # noqa: F401
    except ImportError:
        yield "python3-selenium"
    if shutil.which("chromium") is None:
        yield "chromium"
    if shutil.which("chromedriver") is None:
        yield "chromium-driver"


def expect(condition, otherwise):
    if not condition:
        raise Fault(otherwise)


def until(what, condition):
    """Waits for a condition, and returns what it comes to; a script that fails meanwhile is asked again."""
    left, before, error = PATIENCE, time.monotonic(), None
    while left > 0:
        try:
            if result := condition():
                return result
        except webdriver_errors() as failure:
            error = failure.msg
        time.sleep(0.01)
        # A machine that stood still has not waited.
        now = time.monotonic()
        left, before = left - min(now - before, 1), now
    raise Fault(f"{what}: not within {PATIENCE:.0f} s{f' ({error})' if error else ''}")


def webdriver_errors():
    from selenium.common.exceptions import WebDriverException

    return WebDriverException


def connected(*browsers):
    """Waits until pages are connected."""
    for browser in browsers:
        until("the page is connected", lambda: browser.run("return document.querySelector('#connection').dataset.state") == "connected")


class Browser:
    """A Chromium with a profile of its own; whatever its console says is a fault, unless it is expected."""

    # A report of the Content-Security-Policy is an error at the console, whose text names the rule.
    WATCH = "addEventListener('securitypolicyviolation', (event) => " \
            "console.error('CSP', event.violatedDirective, event.blockedURI, event.sourceFile, event.lineNumber))"

    def __init__(self, *arguments):
        from selenium import webdriver
        from selenium.webdriver.chrome.options import Options
        from selenium.webdriver.chrome.service import Service

        options = Options()
        options.binary_location = shutil.which("chromium")
        always = ["--headless=new", "--disable-dev-shm-usage", "--disable-gpu", "--disable-background-networking",
                  "--disable-background-timer-throttling", "--disable-renderer-backgrounding", "--force-color-profile=srgb"]
        if os.geteuid() == 0:
            always.append("--no-sandbox")
        for argument in [*always, *arguments]:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)
        self.driver.set_script_timeout(PATIENCE)
        self.driver.set_page_load_timeout(PATIENCE)
        self.beginnings = []
        self.begin_with(self.WATCH)
        self.cdp("Emulation.setFocusEmulationEnabled", enabled=True)
        self.resize(1100, 800)

    def cdp(self, method, **parameters):
        """A command of the protocol of Chromium's developer tools."""
        return self.driver.execute_cdp_cmd(method, parameters)

    def begin_with(self, script):
        """Runs a script at the beginning of each page."""
        self.beginnings.append(self.cdp("Page.addScriptToEvaluateOnNewDocument", source=script)["identifier"])

    def resize(self, width, height):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500)

    def prefer(self, **features):
        """Sets media features, such as `prefers_color_scheme="dark"`."""
        named = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.cdp("Emulation.setEmulatedMedia", features=named)

    def open(self, address):
        self.driver.get(address)

    def run(self, script, *arguments):
        """The result of a script, which may be a promise's."""
        return self.driver.execute_script(script, *arguments)

    def find(self, selector):
        from selenium.webdriver.common.by import By

        return until(f"an element {selector}", lambda: next(iter(self.driver.find_elements(By.CSS_SELECTOR, selector)), None))

    def value(self, selector):
        return self.run("return document.querySelector(arguments[0])?.value", selector)

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0])?.textContent.trim()", selector)

    def is_enabled(self, selector):
        return self.run("return document.querySelector(arguments[0])?.disabled === false", selector)

    def type(self, selector, text):
        """Clicks into a field, and types."""
        self.click(selector)
        self.press(text)

    def press(self, *keys):
        """Presses keys in the element that has the focus."""
        self.driver.switch_to.active_element.send_keys(*keys)

    def click(self, selector):
        """Clicks an element; one that the page draws anew in this moment is found again."""
        until(f"a click at {selector}", lambda: self.find(selector).click() is None)

    def faults(self, expected=()):
        """The warnings and errors since the last call, but for those with an expected part."""
        entries = [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in ("WARNING", "SEVERE")]
        return [entry for entry in entries if not any(part in entry for part in expected)]

    def screenshot(self, path):
        self.driver.save_screenshot(str(path))

    def rest(self):
        """Leaves the page, so that the next scene finds the browser as new."""
        for identifier in self.beginnings[1:]:
            self.cdp("Page.removeScriptToEvaluateOnNewDocument", identifier=identifier)
        del self.beginnings[1:]
        self.driver.get("about:blank")
        self.driver.delete_all_cookies()
        self.prefer()
        self.resize(1100, 800)

    def quit(self):
        self.driver.quit()


class Stage:
    """A racd of its own for one scene, with the browsers that the scene asks for."""

    def __init__(self, options, idle):
        self.options, self.idle, self.browsers, self.expected, self.figures = options, idle, [], [], []
        self.folder = tempfile.mkdtemp(prefix="rac-browser-")
        self.closing = contextlib.ExitStack()
        self.closing.callback(shutil.rmtree, self.folder, ignore_errors=True)
        self.racd, self.arguments = None, []
        self.start()

    # The daemon.

    def start(self):
        """Starts racd, again at the address that it had."""
        port = self.racd.port if self.racd else 0
        data = os.path.join(self.folder, "data")
        self.racd = Racd(self.options.racd, data, *self.arguments, port=port)
        self.address = f"http://127.0.0.1:{self.racd.port}"

    def close_access(self):
        """Ends racd; from the next start on it is closed, and takes the returned token."""
        self.kill()
        configuration, tokens = (os.path.join(self.folder, name) for name in ("racd.toml", "tokens"))
        pathlib.Path(configuration).write_text(f'token-file = "{tokens}"\n[[role]]\nname = "kiosk"\nread = ["**"]\nwrite = ["**"]\n'
                                               '[[role]]\nname = "reader"\nread = ["room/**"]\n')
        self.arguments = ["--config", configuration]
        return self.new_token()

    def new_token(self, principal="kiosk", role="kiosk"):
        """A new token of a principal of the closed racd, which takes it soon."""
        return self.token("create", principal, "--role", role)

    def token(self, *arguments):
        """The output of `racd token`."""
        command = [self.options.racd, "token", *arguments, *self.arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def kill(self):
        self.racd.process.kill()
        self.racd.process.wait()
        self.racd.process.stdout.close()

    def ask(self, method, path, body=None, **headers):
        """The status and the body of an answer by HTTP."""
        connection = http.client.HTTPConnection("127.0.0.1", self.racd.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def set(self, name, value):
        status, body = self.ask("PUT", path_of(name), json.dumps(value, ensure_ascii=False).encode())
        expect(status == 200, f"PUT {name}: {status} {body}")

    def put(self, values):
        """Sets many channels."""
        values = list(values.items())
        for start in range(0, len(values), 2048):
            entries = [{"channel": name, "value": value} for name, value in values[start:start + 2048]]
            status, body = self.ask("POST", "/v1/transactions", json.dumps({"set": entries}))
            expect(status == 200, f"a transaction: {status} {body}")

    def get(self, name):
        """The value of a channel, None without one."""
        status, body = self.ask("GET", path_of(name))
        return json.loads(body) if status == 200 else None

    def channels(self):
        """The channels by name, as `list` returns them."""
        return {entry["channel"]: entry for entry in json.loads(self.ask("GET", "/v1/channels?pattern=**")[1])["channels"]}

    def say(self, *messages):
        """Sends messages behind a hello by TCP, over a connection that stays until the end of the scene."""
        connection = self.closing.enter_context(socket.create_connection(("127.0.0.1", self.racd.port)))
        for message in ({"op": "hello", "version": 1, "agent": "kiosk/2.1"}, *messages):
            connection.sendall(frame(message))

    def host(self, command):
        """The number of the connection that hosts a command, None without one."""
        commands = json.loads(self.ask("GET", "/v1/commands")[1])["commands"]
        return next((entry.get("connection") for entry in commands if entry["command"] == command), None)

    # The browsers.

    def browser(self, path=None, *arguments):
        """A browser, at a page of racd; one with arguments is the scene's own."""
        browser = Browser(*arguments) if arguments or not self.idle else self.idle.pop()
        browser.is_kept = not arguments
        self.browsers.append(browser)
        if path is not None:
            browser.open(self.address + path)
        return browser

    def pair(self, path):
        """Two browsers at a page."""
        return self.browser(path), self.browser(path)

    def stranger(self, page):
        """The address of a page that another server has, at another port."""
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write(page.encode())

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.closing.callback(server.server_close)
        self.closing.callback(server.shutdown)
        return f"http://127.0.0.1:{server.server_port}/"

    def figure(self, is_good, text):
        """Notes a speed, which is judged with --figures only."""
        self.figures.append(text)
        expect(is_good or not self.options.figures, f"too slow: {text}")

    def check(self):
        """Fails if a console has something that the scene does not expect, or if racd has ended."""
        for number, browser in enumerate(self.browsers, 1):
            if faults := browser.faults(self.expected):
                raise Fault(f"the console of browser {number}: " + "; ".join(faults))
        expect(self.racd.is_running, f"racd ended: {self.racd.errors()}")

    def close(self, failed):
        for browser in self.browsers:
            if failed or not browser.is_kept:
                browser.quit()
                continue
            browser.rest()
            browser.faults()
            self.idle.append(browser)
        if self.racd.is_running:
            self.racd.signal(signal.SIGKILL)
            self.racd.process.wait()
            self.racd.process.stdout.close()
        self.closing.close()


def path_of(name):
    """The path of a channel's resource."""
    return "/v1/channels/" + "/".join(urllib.parse.quote(part, safe="") for part in name.split("/"))
