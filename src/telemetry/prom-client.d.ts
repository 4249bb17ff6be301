// biome-ignore-all lint/style/noDefaultExport: how a CommonJS file hands over its export.
/**
 * Types the parts of prom-client that are imported by their files. The package itself would also
 * load exporters and default metrics, of which nothing is used.
 */
declare module 'prom-client/lib/counter.js' {
  export { Counter as default } from 'prom-client';
}
declare module 'prom-client/lib/gauge.js' {
  export { Gauge as default } from 'prom-client';
}
declare module 'prom-client/lib/histogram.js' {
  export { Histogram as default } from 'prom-client';
}
declare module 'prom-client/lib/registry.js' {
  export { Registry as default } from 'prom-client';
}
