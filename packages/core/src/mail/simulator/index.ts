export { simulatorRoute } from './simulator-route.ts';
export { createSimulatorTasks } from './simulator-tasks.ts';
