// The link back to a list. Once the script has run, it leads to where the reader left the list and marks the row.
"use client";
import { IconArrowLeft } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import classes from "./back-link.module.css";
import { Link } from "./link";
import { addressInList } from "./list-address";

interface Props {
  /** The list's address without a query. */
  href: string;
  label: string;
  /** The record whose row is marked. */
  id?: string;
}

export function BackLink({ href, label, id }: Props) {
  const [address, setAddress] = useState(href);
  useEffect(() => setAddress(addressInList(href, id)), [href, id]);
  return (
    <Link href={address} className={classes.link}>
      <IconArrowLeft size={16} aria-hidden className={classes.icon} />
      {label}
    </Link>
  );
}
