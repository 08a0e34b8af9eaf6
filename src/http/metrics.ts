import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

/** What an operator's Prometheus reads at `/metrics`. */
export class Metrics {
  readonly registry = new Registry()
  readonly #requests = new Counter({
    name: 'posthouse_http_requests_total',
    help: 'Requests answered, by route and status.',
    labelNames: ['method', 'route', 'status'],
    registers: [this.registry],
  })
  readonly #seconds = new Histogram({
    name: 'posthouse_http_request_seconds',
    help: 'Time from the first byte of a request to the last of its answer.',
    labelNames: ['method', 'route'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [this.registry],
  })

  readonly #series = new Map<string, (seconds: number) => void>()

  constructor() {
    collectDefaultMetrics({ register: this.registry })
  }

  request(method: string, route: string, status: number, milliseconds: number): void {
    const series = `${method} ${route} ${status}`
    let record = this.#series.get(series)
    if (record === undefined) {
      // Looking a series up by its labels sorts and joins them every time; there are only so many.
      const [count, time] = [this.#requests.labels({ method, route, status }), this.#seconds.labels({ method, route })]
      record = (seconds) => {
        count.inc()
        time.observe(seconds)
      }
      this.#series.set(series, record)
    }
    record(milliseconds / 1_000)
  }

  /** A number that is read when the metrics are asked for. */
  gauge(name: string, help: string, labelNames: readonly string[], read: (gauge: Gauge) => void | Promise<void>): void {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames,
      registers: [],
      collect: () => read(gauge),
    })
    this.registry.registerMetric(gauge)
  }
}
