export { simulatorRoute } from './simulator-route.ts';
export { SimulatorTasks } from './simulator-tasks.ts';
