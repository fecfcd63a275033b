# One image for api and worker: `docker build --target api .` or `--target worker .`, and `--target small .` for both in one process
FROM node:24-bookworm-slim AS base
WORKDIR /app
ENV NODE_ENV=production

FROM base AS build
ENV NODE_ENV=development
# Only what the build needs; .dockerignore leaves out what may hold secrets.
COPY package.json package-lock.json turbo.json ./
COPY apps apps
COPY packages packages
COPY tooling tooling
COPY README.md README.md
COPY docs docs
RUN npm ci --no-audit --no-fund && npm run generate && npm run build -w @postrider/dashboard -w @postrider/docs -w @postrider/worker && npm prune --omit=dev
# What runs has no tests, no tooling, and of the dashboard and the documentation only what is served.
RUN find apps packages \( -name '*.test.ts' -o -name '*.test.tsx' -o -name '*.fixture.ts' \) -delete \
 && rm -rf tooling docs README.md apps/*/test apps/*/e2e apps/*/src/testing apps/worker/histories apps/dashboard/src apps/docs/src packages/*/test packages/*/generate packages/sdk-python packages/sdk-go packages/core/src/testing \
 && node --disable-warning=ExperimentalWarning packages/core/startup/strip-types.mjs

FROM base AS app
COPY --from=build --chown=node:node /app/package.json /app/package.json
COPY --from=build --chown=node:node /app/node_modules /app/node_modules
COPY --from=build --chown=node:node /app/apps /app/apps
COPY --from=build --chown=node:node /app/packages /app/packages
COPY --from=build --chown=node:node /app/dist /app/dist
# Modules are read without their types, so that no process loads the compiler that removes them.
ENV NODE_OPTIONS="--import /app/packages/core/startup/stripped.mjs"
RUN mkdir -p /data && chown node:node /data
ENV DATA_DIR=/data
# Two arenas of malloc; by default there is one for each thread.
ENV MALLOC_ARENA_MAX=2
VOLUME /data
USER node

FROM app AS api
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s CMD node -e "fetch('http://127.0.0.1:'+(process.env.PORT||3000)+'/health/ready').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"
CMD ["sh", "-c", "exec node --max-old-space-size=${HEAP_MB:-512} --max-semi-space-size=64 --heap-growing-percent=300 --no-memory-reducer --min-semi-space-size=16 apps/api/src/server.ts"]

FROM app AS small
ENV PROFILE=small
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s CMD node -e "fetch('http://127.0.0.1:'+(process.env.PORT||3000)+'/health/ready').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"
CMD ["sh", "-c", "exec node --max-old-space-size=${HEAP_MB:-640} --max-semi-space-size=8 apps/worker/src/small.ts"]

FROM app AS worker
ENV WORKER_HEALTH_FILE=/tmp/health
# The event loop touches the file every 5 seconds.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s CMD test -n "$(find /tmp/health -newermt '-30 seconds')"
CMD ["sh", "-c", "exec node --max-old-space-size=${HEAP_MB:-384} --max-semi-space-size=8 apps/worker/src/main.ts"]
