let stopping = false;

/** From now on `GET /health/ready` is 503, so that load balancers send no further requests. */
export const announceStop = (): void => {
  stopping = true;
};

/** Whether this process is about to end. */
export const isStopping = (): boolean => stopping;
