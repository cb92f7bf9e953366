# SPDX-License-Identifier: Apache-2.0
#
# docker build -t zamok .
# docker run --rm -i -v secrets:/data zamok set api/deploy
#
# The last stage is Debian with one binary. A program of your own goes on from there: FROM zamok, COPY app, CMD ["app"] (Documentation/Server.md).

FROM swift:6.3-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends libsqlite3-dev zlib1g-dev && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN sh Scripts/build-release /source

FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends libsqlite3-0 zlib1g && rm -rf /var/lib/apt/lists/*
COPY --from=build /source/.build-release/zamok /usr/local/bin/zamok
RUN useradd --uid 10001 --no-create-home --home-dir /data app && install -d -o 10001 -g 10001 -m 0700 /data
ENV ZAMOK_HOME=/data/zamok
VOLUME /data
USER 10001
ENTRYPOINT ["zamok"]
CMD ["--help"]
