/** One line of figures: a value per round, and what its median is held against. */
export interface Series {
  label: string;
  unit: string;
  rounds: number[];
  /** label of the series that this one's median is divided by */
  against?: string;
  /** what that ratio, or the median itself without `against`, should be */
  goal?: { atLeast: number } | { below: number };
  digits?: number;
}

export interface BenchResult {
  series: Series[];
  /** what a reader must know to read the figures rightly */
  notes: string[];
}

export interface BenchOptions {
  rounds: number;
  /** emails per round of a campaign */
  recipients: number;
  /** contacts of a round that is about many contacts */
  rows: number;
  /** measured seconds per round of requests */
  seconds: number;
  /** executions of a customer workflow per round */
  executions: number;
  /** folder for CPU profiles of the product's processes; profiling costs speed */
  profile?: string;
  log(line: string): void;
}

export interface Bench {
  name: string;
  summary: string;
  run(options: BenchOptions): Promise<BenchResult>;
}
