// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./Owned.sol";

/// A purse that several may fill.
contract Purse is Owned {
    struct Gift {
        address from;
        uint256 amount;
    }

    event Given(address indexed from, uint256 amount);
    error TooSmall(uint256 least);

    mapping(address => uint256) public total;
    Gift[] private gifts;
    uint256 constant LEAST = 1 ether;

    modifier large() {
        if (msg.value < LEAST) revert TooSmall({least: LEAST});
        _;
    }

    constructor() payable {
        total[msg.sender] = msg.value;
    }

    function give() external payable large returns (uint256 count) {
        gifts.push(Gift(msg.sender, msg.value));
        total[msg.sender] += msg.value;
        emit Given(msg.sender, msg.value);
        for (uint256 i = 0; i < gifts.length; i++) {
            count += gifts[i].amount > 0 ? 1 : 0;
        }
    }

    function empty(address payable to) public onlyOwner {
        (bool sent, ) = to.call{value: address(this).balance}("");
        require(sent, "not sent");
    }
}
