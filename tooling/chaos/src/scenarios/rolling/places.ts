import type { ChaosStack } from '@postrider/harness/chaos-stack';
import type { Service } from '@postrider/local/service';

/** Where a process of the installation runs. When it is replaced, its successor takes the same address. */
export interface Place {
  name: string;
  kind: 'api' | 'worker';
  /** the checkout whose process runs there */
  root: string;
  /** Tells it to stop, and waits until it has ended. @returns what it did wrong, if anything */
  stop(): Promise<string[]>;
  /** Starts its successor, and waits until that is ready. */
  start(root: string): Promise<void>;
}

interface First {
  name: string;
  kind: Place['kind'];
  root: string;
  service: Service;
  start(root: string): Promise<Service>;
}

function createPlace({ service, start, ...first }: First): Place {
  let running = service;
  const place: Place = {
    ...first,
    async stop() {
      const { restarts } = running;
      await running.stop();
      const { lastCode } = running;
      return [
        ...(restarts === 0 ? [] : [`${place.name} ended by itself ${restarts} times`]),
        ...(lastCode === 0 ? [] : [`${place.name} ended with ${lastCode ?? 'a signal'}, not in order`]),
      ];
    },
    async start(root) {
      running = await start(root);
      place.root = root;
    },
  };
  return place;
}

/** Api and workers of one version. The first of each are those of the stack. */
export async function startPlaces(
  { stack }: ChaosStack,
  root: string,
  count: number,
): Promise<{ places: Place[]; ports: number[] }> {
  const places: Place[] = [];
  const ports: number[] = [];
  for (let index = 1; index <= count; index += 1) {
    const { url, service } =
      index === 1 ? { url: stack.urls.api, service: stack.processes.api } : await stack.addApi({}, root);
    const { port } = new URL(url);
    ports.push(Number(port));
    places.push(
      createPlace({
        ...{ name: `api ${index}`, kind: 'api', root, service },
        start: async (next) => (await stack.addApi({ PORT: port }, next)).service,
      }),
      createPlace({
        ...{ name: `worker ${index}`, kind: 'worker', root },
        service: index === 1 ? stack.processes.worker : await stack.addWorker({}, root),
        start: (next) => stack.addWorker({}, next),
      }),
    );
  }
  return { places, ports };
}
