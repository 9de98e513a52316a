module install-apk

go 1.26

require chainguard.dev/apko v0.30.0
