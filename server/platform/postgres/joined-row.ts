/** The columns of a joined table, which a statement selects with the given prefix: `u.display_name AS seller_name`. */
export type JoinedColumns<Prefix extends string, Row> = {
  [Column in keyof Row & string as `${Prefix}_${Column}`]: Row[Column];
};

/** The columns of a table that is joined with LEFT JOIN: all of them are null when it has no row. */
export type LeftJoinedColumns<Prefix extends string, Row> =
  | JoinedColumns<Prefix, Row>
  | JoinedColumns<Prefix, { [Column in keyof Row]: null }>;
