import type { Services } from '../../base/kernel/services.ts';
import { simulatorRouteId } from '../../base/kernel/simulator.rules.ts';
import type { Route } from '../delivery/index.ts';
import { SimulatorTransport } from './simulator-transport.ts';

/** The way to the simulator: messages are composed and signed as for the provider of the installation. */
export const simulatorRoute = (services: Services): Route => ({
  id: simulatorRouteId,
  provider: services.config.mailProvider,
  transport: new SimulatorTransport(services),
});
