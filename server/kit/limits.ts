// Every bound of the product by name, for the schemas and the documents alike.

export const limits = {
  /** Bytes of a request body. */
  bodyBytes: 64 * 1024,
  /** Bytes of an over-long body that are still read and dropped before the connection is closed. */
  bodyDrainBytes: 1024 * 1024,
  /** Bytes of a submitted pay form. */
  payFormBytes: 8 * 1024,
  jsonDepth: 20,
  queryBytes: 8 * 1024,
  /** Minor units: twelve digits, as ISO 8583 field 4. */
  amount: 999_999_999_999,
  /**
   * Minor units of one account in one currency. `byRequest`: half of what is exact, so that all under way at providers
   * still fits. `byTransfer`: how far other accounts' transfers may fill it.
   */
  balance: { byRequest: 4_500_000_000_000_000, byTransfer: 1_000_000_000_000_000 },
  idempotencyKey: 255,
  requestId: 128,
  authorizationHeader: 512,
  id: 64,
  email: 254,
  name: 120,
  password: { min: 8, max: 128, bytes: 1024 },
  /** Devices that a user is known by, for each of dashboard and API; beyond that, the one seen longest ago is forgotten. */
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
  /** Words of one search, and words by which one record is found. */
  searchWords: 8,
  indexedWords: 64,
  /** `bytes` of stored text, after which a page ends before its `limit`. */
  page: { default: 20, max: 100, bytes: 256 * 1024 },
  /**
   * What one call looks through in a list where no index knows what matches: `windows` of `window` candidates each. A
   * total is counted `countWindow` at a time. Rows are assumed to have `rowBytes` until some have been read. A word or
   * value that at most `few` records have is looked up by itself; of up to `accounts` each has a list.
   */
  look: { window: 2_000, windows: 10, least: 50, countWindow: 5_000, rowBytes: 12 * 1024, few: 2_000, accounts: 100 },
  /**
   * Downloads under way: of a caller, of all callers of an address, and in this process. The last places go to addresses
   * that have none. Each part is read, sent and dropped before the next.
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
  /** What `ACCOUNTS_PER_OWNER` may be set to. SQLite takes 32,766 values in a statement, and lists name each account twice. */
  ownedAccounts: 10_000,
  receiptMovements: 100,
  /** Characters of a BCP 47 tag. */
  languageTag: 35,
  /** Number and date formats, language tags and brand colours whose results are kept for the next page. */
  rememberedFormats: 200,
  rememberedLanguages: 500,
  rememberedColors: 100,
  cursor: 512,
  /** Payment requests that one transaction cancels when their account closes. */
  cancelBatch: 100,
  /** Records that a call names one by one. */
  selection: 100,
  waitSeconds: 60,
  /** Failed jobs that one call has tried again. */
  jobsRetried: 1_000,
  /** Calls that wait for a change at the same time. */
  polls: { perCaller: 20, perAddress: 200, inAll: 500, newcomers: { places: 100, each: 5 } },
  /** Requests of a user or API key that are under way at the same time. */
  requestsAtOnce: 100,
  /** Requests of a caller that may begin within so many milliseconds before one of them has ended; others wait. */
  begun: { atOnce: 16, forMs: 200 },
  /** Milliseconds for which work whose connection is gone keeps its place at most, should it never end. */
  abandonedWorkMs: 120_000,
  /** Lines of the log a minute for requests that are refused before any work; the others are only counted. */
  refusalLines: { perAddress: 60, inAll: 1_000, newcomers: { places: 200, each: 5 } },
  /** Parts of lists, searches, counts and downloads of a user or API key that are read at the same time; others wait. */
  piecesAtOnce: 1,
  /** The newest payment requests over which the dashboard's tabs are counted. */
  tabsCounted: 10_000,
  /** Connections open at the same time; `CONNECTIONS_PER_ADDRESS` says how many of them one address may have. */
  connections: { inAll: 2_000, newcomers: { places: 200, each: 8 } },
  /** Bytes of request bodies that are under way at the same time: of one caller, of one address, and together. */
  bodiesAtOnce: {
    perCaller: 4 * 1024 * 1024,
    perAddress: 8 * 1024 * 1024,
    inAll: 32 * 1024 * 1024,
    newcomers: { places: 8 * 1024 * 1024, each: 256 * 1024 },
  },
  /** Bytes of answers that their readers have not taken yet, of one address and together. */
  unreadBytes: { perAddress: 8 * 1024 * 1024, inAll: 64 * 1024 * 1024 },
  /** Bytes of a body and its answer together for which a call counts once more against the rate limit. */
  bytesPerCall: 32 * 1024,
  notifications: 20,
  /** Forms of one address on one pay link that are no attempt: mistyped cards, confirmations answered or given up. */
  payFormsPerHour: 60,
  /** Overpaid requests that the dashboard lists at once. */
  attention: 10,
  subscriptionIntervalCount: 365,
  trialDays: 730,
  subscriptionCycles: 1200,
} as const;
