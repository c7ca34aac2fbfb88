// Every bound of the product by name, for the schemas and the documents alike.

export const limits = {
  /** Bytes of a request body. */
  bodyBytes: 64 * 1024,
  /** Bytes of an oversized body that are still read and dropped before the connection is closed. */
  bodyDrainBytes: 1024 * 1024,
  /** Bytes of a submitted pay form. */
  payFormBytes: 8 * 1024,
  jsonDepth: 20,
  queryBytes: 8 * 1024,
  /** Minor units: twelve digits, as in ISO 8583 field 4. */
  amount: 999_999_999_999,
  /**
   * Minor units of one account in one currency. `byRequest`: half of what can be stored exactly, which leaves room for
   * everything in progress at providers. `byTransfer`: how far transfers from other accounts may fill it.
   */
  balance: { byRequest: 4_500_000_000_000_000, byTransfer: 1_000_000_000_000_000 },
  idempotencyKey: 255,
  requestId: 128,
  authorizationHeader: 512,
  id: 64,
  email: 254,
  name: 120,
  password: { min: 8, max: 128, bytes: 1024 },
  /** Known devices per user, for dashboard and API separately. Beyond that, the least recently seen is forgotten. */
  knownDevices: 10,
  description: 280,
  reference: 80,
  reason: 256,
  url: 2048,
  deviceId: 200,
  clientVersion: 100,
  userAgent: 400,
  statementDescriptor: 22,
  metadata: { keys: 50, key: 40, value: 500 },
  lineItems: 100,
  quantity: 999_999,
  taxRateBasisPoints: 100_000,
  searchText: 100,
  /** Words of one search, and indexed words of one record. */
  searchWords: 8,
  indexedWords: 64,
  /** A page ends before its `limit` after `bytes` of stored text. */
  page: { default: 20, max: 100, bytes: 256 * 1024 },
  /**
   * What one call may scan in a list where no index serves the filter: `windows` of `window` candidates each. Totals
   * are counted `countWindow` at a time. Rows are assumed to have `rowBytes` until some have been read. A word or value
   * that at most `few` records have is looked up directly. Up to `accounts` accounts are scanned as separate lists.
   */
  look: { window: 2_000, windows: 10, least: 50, countWindow: 5_000, rowBytes: 12 * 1024, few: 2_000, accounts: 100 },
  /**
   * Downloads in progress: of a caller, of all callers of an address, and in this process. The last places are reserved
   * for addresses without any. Each part is read, sent and dropped before the next.
   */
  download: {
    perCaller: 2,
    perAddress: 8,
    inAll: 16,
    newcomers: { places: 6, each: 1 },
    partRows: 100,
    partBytes: 64 * 1024,
    stalledMs: 30_000,
    longestMs: 3_600_000,
  },
  /** The largest `ACCOUNTS_PER_OWNER`. SQLite takes 32,766 values in a statement, and lists name each account twice. */
  ownedAccounts: 10_000,
  receiptMovements: 100,
  /** Characters of a BCP 47 tag. */
  languageTag: 35,
  /** Cached number and date formats, language tags and brand colours. */
  rememberedFormats: 200,
  rememberedLanguages: 500,
  rememberedColors: 100,
  cursor: 512,
  /** Payment requests canceled per transaction when their account closes. */
  cancelBatch: 100,
  /** Records that a call may name one by one. */
  selection: 100,
  waitSeconds: 60,
  /** Failed jobs that one call may retry. */
  jobsRetried: 1_000,
  /** Calls that may wait for a change at the same time. */
  polls: { perCaller: 20, perAddress: 200, inAll: 500, newcomers: { places: 100, each: 5 } },
  /** Concurrent requests of a user or API key. */
  requestsAtOnce: 100,
  /** Requests of a caller that may start within `forMs` milliseconds before one of them has ended. Others wait. */
  begun: { atOnce: 16, forMs: 200 },
  /** Longest time in milliseconds that work keeps its place after its connection has closed. */
  abandonedWorkMs: 120_000,
  /** Log lines per minute for requests that are refused before any work. Further ones are only counted. */
  refusalLines: { perAddress: 60, inAll: 1_000, newcomers: { places: 200, each: 5 } },
  /** Parts of lists, searches, counts and downloads of a user or API key that are read concurrently. Others wait. */
  piecesAtOnce: 1,
  /** The dashboard's tabs count only this many of the newest payment requests. */
  tabsCounted: 10_000,
  /** Open connections. `CONNECTIONS_PER_ADDRESS` limits those of one address. */
  connections: { inAll: 2_000, newcomers: { places: 200, each: 8 } },
  /** Bytes of request bodies in progress: of one caller, of one address, and in total. */
  bodiesAtOnce: {
    perCaller: 4 * 1024 * 1024,
    perAddress: 8 * 1024 * 1024,
    inAll: 32 * 1024 * 1024,
    newcomers: { places: 8 * 1024 * 1024, each: 256 * 1024 },
  },
  /** Bytes of responses that readers have not yet received: of one address, and in total. */
  unreadBytes: { perAddress: 8 * 1024 * 1024, inAll: 64 * 1024 * 1024 },
  /** A call counts once more against the rate limit for each of these bytes of body and response. */
  bytesPerCall: 32 * 1024,
  notifications: 20,
  /**
   * Form posts of one address on one pay link that are not attempts: mistyped cards, confirmations answered or
   * abandoned.
   */
  payFormsPerHour: 60,
  /** Overpaid requests that the dashboard shows. */
  attention: 10,
  subscriptionIntervalCount: 365,
  trialDays: 730,
  subscriptionCycles: 1200,
} as const;
