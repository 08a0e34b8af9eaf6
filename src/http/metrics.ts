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
    help: 'Time from the first byte of a request to the last of its answer, by the first word of the route.',
    labelNames: ['method', 'resource'],
    buckets: [0.005, 0.025, 0.1, 0.25, 1, 2.5, 5],
    registers: [this.registry],
  })

  readonly #texts: (() => string)[] = []
  readonly #series = new Map<string, (seconds: number) => void>()

  constructor() {
    collectDefaultMetrics({ register: this.registry })
  }

  /** Families that others have counted, as text. */
  addText(text: () => string): void {
    this.#texts.push(text)
  }

  async text(): Promise<string> {
    return `${await this.registry.metrics()}\n${this.#texts.map((text) => text()).join('\n')}\n`
  }

  request(method: string, route: string, status: number, milliseconds: number): void {
    const series = `${method} ${route} ${status}`
    let record = this.#series.get(series)
    if (record === undefined) {
      // Looking a series up by its labels sorts and joins them every time; there are only so many.
      const [count, time] = [
        this.#requests.labels({ method, route, status }),
        this.#seconds.labels({ method, resource: resourceOf(route) }),
      ]
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

/** Every route has a counter, but only every resource a histogram: each is ten series. */
const resourceOf = (route: string): string => /^\/api\/v1\/([a-z-]+)/.exec(route)?.[1] ?? 'other'
