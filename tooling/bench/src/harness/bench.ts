/** One line of figures: a value per round, and the reference for its median. */
export interface Series {
  label: string;
  unit: string;
  rounds: number[];
  /** label of the series that this one's median is divided by */
  against?: string;
  /** the goal for that ratio, or for the median itself without `against` */
  goal?: { atLeast: number } | { below: number };
  digits?: number;
}

export interface BenchResult {
  series: Series[];
  /** explanations needed to interpret the figures */
  notes: string[];
  /** what ends the run with exit code 1, in sentences; only of benches that guard a budget */
  failures?: string[];
}

export interface BenchOptions {
  rounds: number;
  /** emails per round of a campaign */
  recipients: number;
  /** contacts per round of the benches that load contacts */
  rows: number;
  /** measured seconds per round of requests */
  seconds: number;
  /** executions of a customer workflow per round */
  executions: number;
  /** contacts of the large project whose requests are measured, if given */
  contacts?: number;
  /** its emails, if given; each bench has a default of its own */
  emails?: number;
  /** a clone of an older commit, whose campaign is measured in the same run */
  baseline?: string;
  /** folder for CPU profiles of the product's processes; profiling costs speed. Of `memory`: the profile of the installation */
  profile?: string;
  /** whether `memory` takes heap snapshots */
  heap?: boolean;
  /** the phases that `memory` measures; default all */
  phases?: readonly string[];
  /** whether `capacity` writes its page */
  page?: boolean;
  /** whether `capacity` compares mixed loads with what its figures predict */
  predict?: boolean;
  log(line: string): void;
}

export interface Bench {
  name: string;
  summary: string;
  /** `--seconds`, if it is not given and not what it is for the others */
  seconds?: number;
  run(options: BenchOptions): Promise<BenchResult>;
}
