#!/usr/bin/env bash
# Installs the missing packages for building rac on Debian 12, and looks for a Swift toolchain.
# With the word "tests" it also installs curl, the shells, and Node for the tests of clients/javascript.
# With the word "browser" it also installs Chromium and Selenium for Tests/browser.
# With the word "types" it also installs TypeScript for the tests of rac.d.ts.
# The script needs neither network nor privileges if nothing is missing.
set -euo pipefail

packages=(ca-certificates g++ git libsqlite3-dev libssl-dev make openssl python3 zlib1g-dev)
case "${1:-}" in
    tests) packages+=(curl fish nodejs zsh) ;;
    browser) packages+=(chromium chromium-driver python3-selenium) ;;
    types) packages+=(node-typescript) ;;
esac
swift_major=6
swift_minor=2

fail() {
    printf 'install-build-deps: %s\n' "$*" >&2
    exit 1
}

is_installed() {
    [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        fail "run this once as root, or install sudo: it installs ${missing[*]}"
    fi
}

install_packages() {
    command -v dpkg-query >/dev/null && command -v apt-get >/dev/null ||
        fail "this is not Debian: install the counterparts of ${packages[*]}, then run 'swift build'"
    missing=()
    for package in "${packages[@]}"; do
        is_installed "$package" || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    echo "Installing ${missing[*]}"
    as_root apt-get update
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "${missing[@]}"
}

check_swift() {
    local wanted="Swift $swift_major.$swift_minor or later" help="see https://www.swift.org/install/linux"
    command -v swift >/dev/null || fail "swift is not in PATH: install $wanted, $help"
    local text major minor
    text=$(swift --version 2>/dev/null) || fail "'swift --version' does not run: reinstall $wanted, $help"
    [[ $text =~ Swift\ version\ ([0-9]+)\.([0-9]+) ]] || fail "'swift --version' prints no version: install $wanted, $help"
    major=${BASH_REMATCH[1]} minor=${BASH_REMATCH[2]}
    ((major > swift_major || (major == swift_major && minor >= swift_minor))) ||
        fail "this is Swift $major.$minor: install $wanted, $help"
}

install_packages
check_swift
