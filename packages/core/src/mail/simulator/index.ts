export { simulatorRoute } from './simulator-route.ts';
export { runDueTasks, SimulatorTasks } from './simulator-tasks.ts';
