# One image for api and worker: `docker build --target api .` or `--target worker .`
FROM node:24-bookworm-slim AS base
WORKDIR /app
ENV NODE_ENV=production

FROM base AS build
ENV NODE_ENV=development
COPY . .
RUN npm ci --no-audit --no-fund && npm run generate && npm run build -w @postrider/dashboard -w @postrider/worker && npm prune --omit=dev

FROM base AS app
COPY --from=build --chown=node:node /app /app
RUN mkdir -p /data && chown node:node /data
ENV DATA_DIR=/data
VOLUME /data
USER node

FROM app AS api
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s CMD node -e "fetch('http://127.0.0.1:'+(process.env.PORT||3000)+'/health/ready').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"
CMD ["node", "apps/api/src/server.ts"]

FROM app AS worker
CMD ["node", "apps/worker/src/main.ts"]
