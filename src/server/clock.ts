/** The server's only source of time; never SQL's now(), so that tests and all processes agree. */
export type Clock = () => Date;
