# An image with arcsim, arcasm and the GNU tools for ARC:
#   docker build -t arcv2dsp . && docker run --rm arcv2dsp regress --short
FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags="-s -w" -o /out/ ./cmd/arcsim ./cmd/arcasm

FROM debian:bookworm-slim
RUN apt-get update \
	&& apt-get install -y --no-install-recommends binutils-arc-linux-gnu gcc-arc-linux-gnu make \
	&& rm -rf /var/lib/apt/lists/*
COPY --from=build /out/ /usr/local/bin/
RUN useradd --create-home arc
USER arc
WORKDIR /work
ENTRYPOINT ["arcsim"]
CMD ["--help"]
